// Links hold what they show behind the `#`, which no browser sends: one schedule readable, a herd packed.

/** The most bytes of a text: a small link can become a large one. */
const MOST = 1 << 20;

const packing = {
  /** What comes out of a stream, if it is not too long. */
  async through(bytes, stream) {
    const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
    const parts = [];
    for (let length = 0; ; ) {
      const { done, value } = await reader.read();
      if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
      length += value.length;
      if (length > MOST) {
        await reader.cancel();
        throw new RangeError("the text is too long");
      }
      parts.push(value);
    }
  },

  async pack(text) {
    const bytes = await packing.through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
    const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    return base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  },

  async unpack(text) {
    const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    return new TextDecoder().decode(await packing.through(bytes, new DecompressionStream("deflate-raw")));
  },
};

/** Five fields, or one macro, and nothing behind them. */
const SCHEDULE = /^(?:@[a-z]+|[\d*?,/~-]+ [\d*?,/~-]+ [\d*?,/~L-]+ [\w*?,/-]+ [\w*?,/#-]+)$/i;

/** Whether a schedule can stand in a link as it is: with modifiers and a name alone, and without a command, which can hold secrets. */
const isReadable = (line) => {
  const schedule = line.replaceAll(/ @\w+\([^)]*\)/g, "").replace(/ name=[^ ]*$/, "");
  return SCHEDULE.test(schedule) && /^[\w*,/@()?# .=:;~+-]*$/.test(line);
};
