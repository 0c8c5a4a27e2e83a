{
  const element = (id) => document.getElementById(id);
  const text = element("text");
  const WINDOWS = [0, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200];
  const EXAMPLES = JSON.parse(element("examples").textContent);
  const SHOWN = 50;

  const length = (seconds) => (seconds === 0 ? "none" : seconds % 3600 === 0 ? `${seconds / 3600}h` : `${seconds / 60}m`);
  const windowSeconds = () => WINDOWS[Number(element("window").value)];
  const mode = () => document.querySelector('[name="mode"]:checked').value;
  const plural = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
  const made = (tag, ...parts) => {
    const found = document.createElement(tag);
    found.append(...parts);
    return found;
  };

  const source = element("worker").textContent;
  const worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
  worker.postMessage({ module: element("module").textContent });
  element("module").remove();

  // What a test waits for.
  window.currentQuestion = () => id;
  window.currentData = () => known.data;
  let id = 0;
  let isReady = false;
  let isWaiting = false;
  /** What the worker said of the last question. */
  let known = {};
  const replies = new Map();

  const state = () => ({
    id,
    path: element("path").value.trim(),
    text: text.value,
    zone: element("zone").value.trim() || "UTC",
    timezone: element("zone").value.trim() || "UTC",
    windowSeconds: windowSeconds(),
    days: Number(element("days").value),
    prefix: element("prefix").value.trim(),
    mode: mode(),
    apart: element("apart").checked,
    job: Number(element("job").value || 0),
    now: Math.floor((fixedNow ?? Date.now()) / 1000),
  });
  // A link can name the instant at which the page is, so that two people see the same.
  let fixedNow = null;

  const update = () => {
    element("length").textContent = length(windowSeconds());
    if (!isReady) return;
    id += 1;
    worker.postMessage(state());
  };
  // Keys come faster than pictures.
  const later = () => {
    id += 1;
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      update();
    }, 120);
  };

  const reply = (question) =>
    new Promise((resolve) => {
      replies.set(question, resolve);
      worker.postMessage({ question });
    });

  worker.onmessage = ({ data }) => {
    if (data.ready) {
      isReady = true;
      element("status").title = `Kron ${data.ready.version}, time zones ${data.ready.tzdbVersion}`;
      update();
      return;
    }
    if (data.question) {
      replies.get(data.question)?.(data.reply);
      return;
    }
    if (data.id !== id) return;
    known = known.id === id ? Object.assign(known, data) : { ...data };
    if (data.jobs) showJobs(data);
    if (data.html !== undefined) showPicture(data);
    if (data.coming) showComing(data);
    if (data.cure) showCure(data);
    if (data.findings || data.lint || data.cure) showProblems();
    if (data.error) showError(data.error);
    if (data.done) document.body.dataset.done = id;
  };
  worker.onerror = (event) => showError(event.message);

  const showError = (message) => {
    element("status").textContent = message;
    element("status").classList.add("error");
    document.body.dataset.done = id;
  };

  let emptyText = "Paste something above, or choose an example.";
  const showJobs = ({ jobs }) => {
    const select = element("job");
    const chosen = select.value;
    const options = jobs.slice(0, 1000).map((job, index) => {
      const option = made("option", `${job.name}  ${job.schedule}`);
      option.value = index;
      return option;
    });
    select.replaceChildren(...options);
    if (Number(chosen) < options.length && chosen !== "") select.value = chosen;
    for (const name of ["starts", "result"]) element(name).hidden = jobs.length === 0;
    element("status").classList.remove("error");
    if (jobs.length > 0) return;
    element("picture").replaceChildren();
    element("status").textContent = text.value.trim() === "" ? emptyText : "There is no schedule in this text.";
  };

  const showPicture = ({ html, data, sentence, failed, isOfKron }) => {
    if (known.jobs?.length === 0) return;
    const root = element("picture");
    root.innerHTML = html;
    if (data) showForecast(root, data);
    const lost = failed.length > 0 ? ` ${plural(failed.length, "job")} never starts: ${failed[0].name}: ${failed[0].message}` : "";
    element("status").textContent = lost;
    document.title = sentence;
    for (const input of document.querySelectorAll('[name="mode"]')) input.disabled = isOfKron;
  };

  const showComing = ({ coming, job }) => {
    element("starts-title").textContent = `Next starts of ${known.jobs[job].name}`;
    const strip = element("strip");
    strip.replaceChildren();
    if (coming.why) {
      element("coming").replaceChildren(made("p", coming.why));
      return;
    }
    const rows = coming.map(({ chosenTime, nominalTime, svg }) => {
      const readable = (time) => time.replace("T", " ").replace("Z", " UTC");
      const start = made(svg ? "button" : "span", readable(chosenTime));
      // Why it starts then.
      if (svg) for (const event of ["pointerenter", "focus", "click"]) start.addEventListener(event, () => (strip.innerHTML = svg));
      return made("tr", made("td", start), made("td", readable(nominalTime)));
    });
    const head = made("thead", made("tr", made("th", "Start"), made("th", "As written")));
    element("coming").replaceChildren(made("table", head, made("tbody", ...rows)));
    strip.innerHTML = coming[0].svg;
  };

  const showCure = ({ cure }) => {
    element("cure").value = cure.text;
    const words = {
      plain: () => {
        const left = cure.left.length > 0 ? `, ${plural(cure.left.length, "schedule")} left alone` : "";
        return `${plural(cure.placed.length, "schedule")} with a time of ${cure.placed.length === 1 ? "its" : "their"} own, at most ${length(windowSeconds())} later${left}.`;
      },
      kron: () => "Jobs of Kron with the window as an option of the schedule.",
      jobs: () => "A job file of Kron.",
      unchanged: () => "As it is: choose a window to spread it.",
    };
    element("changes").textContent = words[cure.kind]();
    const path = element("path").value.trim() || "crontab";
    const quoted = /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
    const lines = [`kron forecast ${quoted}${windowSeconds() > 0 ? ` --window ${length(windowSeconds())}` : ""}`];
    if (cure.kind === "plain") lines.push(`kron place --adopt --window ${length(windowSeconds())} --prefix ${element("prefix").value.trim() || "my"} -i ${quoted}`);
    if (cure.kind === "kron") lines.push(`kron convert${windowSeconds() > 0 ? ` --window ${length(windowSeconds())}` : ""} ${quoted}`);
    if (element("apart").checked) lines.push(`kron spread --per 1m -i ${cure.kind === "plain" ? quoted : "jobs.kron"}`);
    element("terminal").textContent = lines.join("\n");
  };

  const showProblems = () => {
    const placing = known.cure?.findings ?? [];
    const left = known.cure?.left ?? [];
    const found = [...(known.findings ?? []), ...placing, ...(known.lint ?? [])];
    const rank = { error: 0, warning: 1, note: 2 };
    found.sort((a, b) => rank[a.severity] - rank[b.severity] || (a.line ?? 0) - (b.line ?? 0));
    const lines = found.map(({ severity, line, name, message, help }) => {
      const item = made("li", made("b", `${severity}: `));
      item.className = severity;
      if (line) item.append(toLine(line), " ");
      item.append(`${name ? `${name}: ` : ""}${message}${help ? `; ${help}` : ""}`);
      return item;
    });
    for (const { line, text: schedule, reason } of left) lines.push(made("li", toLine(line), ` ${schedule.trim()} is left alone, because it ${reason}`));
    const more = lines.length - SHOWN;
    const list = lines.slice(0, SHOWN);
    if (more > 0) list.push(made("li", `${plural(more, "more line")} in \`kron lint\``));
    element("problems").hidden = list.length === 0;
    element("problems").querySelector("ul").replaceChildren(...list);
  };

  const toLine = (line) => {
    const button = made("button", `line ${line}`);
    button.addEventListener("click", () => {
      const lines = text.value.split("\n");
      const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
      text.focus();
      text.setSelectionRange(start, start + (lines[line - 1] ?? "").length);
    });
    return button;
  };

  const say = (what) => (element("status").textContent = what);
  const copy = async (what, done) => {
    try {
      await navigator.clipboard.writeText(what);
      say(done);
    } catch {
      say("The browser does not let the page copy: select the text and copy it.");
    }
  };
  const save = (blob, name) => {
    const link = made("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  const png = async () => {
    const svg = await reply("svg");
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
    await image.decode();
    const canvas = made("canvas");
    [canvas.width, canvas.height] = [image.naturalWidth * 2, image.naturalHeight * 2];
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  };

  element("copy").addEventListener("click", () => copy(element("cure").value, "The file is copied."));
  element("download").addEventListener("click", () => {
    const path = element("path").value.trim().split("/").pop();
    const name = known.cure.kind === "jobs" || (known.cure.kind === "kron" && !/\.ya?ml$/.test(path)) ? "jobs.kron" : path || "crontab";
    save(new Blob([element("cure").value], { type: "text/plain" }), name);
  });
  element("copy-picture").addEventListener("click", async () => {
    const picture = png();
    try {
      await navigator.clipboard.write([new ClipboardItem({ "image/png": picture })]);
      say("The picture is copied.");
    } catch {
      save(await picture, "herd.png");
      say("The browser does not copy pictures: it is saved as herd.png.");
    }
  });
  element("copy-markdown").addEventListener("click", () => {
    const { sentence, amount, fullest } = known;
    copy(`**${sentence}**\n\n${amount}\n\n\`\`\`\n${fullest.trimEnd()}\n\`\`\`\n`, "The summary is copied as Markdown.");
  });

  // Links: one schedule is readable; a herd is packed, without commands unless its owner wants them in it.
  const SETTINGS = [["w", "window"], ["days", "days"], ["tz", "zone"], ["as", "path"], ["prefix", "prefix"]];
  const toBase64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const fromBase64 = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

  // A crontab whose commands are the names of its jobs; of other files, a job file.
  const withoutCommands = async () => {
    if (!known.jobs.every((job) => job.origin === "crontab")) return { text: await reply("jobs"), path: "jobs.kron" };
    let zone = element("zone").value.trim();
    const lines = known.jobs.flatMap((job) => {
      const line = `${job.schedule} ${job.name}`;
      if (job.timezone === zone) return [line];
      zone = job.timezone;
      return [`CRON_TZ=${zone}`, line];
    });
    return { text: `${lines.join("\n")}\n`, path: "crontab" };
  };

  const link = async () => {
    const line = text.value.trim();
    const settings = new URLSearchParams();
    const isPlainSchedule = !line.includes("\n") && /^[\w*,/@()?# .=:~+-]*$/.test(line) && known.jobs?.length === 1 && known.jobs[0].origin === "kron";
    const whole = element("with-commands").checked;
    const shared = whole ? { text: text.value, path: element("path").value.trim() } : await withoutCommands();
    for (const [key, name] of SETTINGS) {
      const value = name === "path" ? (isPlainSchedule ? "" : shared.path) : element(name).value.trim();
      if (value !== "" && value !== (element(name).defaultValue ?? "1")) settings.set(key, value);
    }
    const rest = settings.toString() === "" ? "" : `&${settings}`;
    if (isPlainSchedule) return `#${encodeURI(line.replaceAll("_", "%5F").replaceAll(" ", "_")).replaceAll("#", "%23")}${rest}`;
    const packed = await through(new TextEncoder().encode(shared.text), new CompressionStream("deflate-raw"));
    return `#z=${toBase64(packed)}${rest}`;
  };
  element("copy-link").addEventListener("click", async () => {
    const fragment = await link();
    history.replaceState(null, "", fragment);
    copy(location.href, "The link is copied.");
  });

  const open = async (fragment) => {
    const [first, ...rest] = fragment.split("&");
    const settings = new URLSearchParams(rest.join("&"));
    for (const [key, name] of SETTINGS) if (settings.has(key)) element(name).value = settings.get(key);
    const instant = Date.parse(settings.get("now"));
    fixedNow = Number.isNaN(instant) ? null : instant;
    if (first === "") return false;
    try {
      const packed = first.startsWith("z=");
      text.value = packed
        ? new TextDecoder().decode(await through(fromBase64(first.slice(2)), new DecompressionStream("deflate-raw")))
        : decodeURIComponent(decodeURI(first).replaceAll("_", " "));
      return true;
    } catch {
      text.value = "";
      emptyText = "This link is broken: paste the schedules themselves.";
      return true;
    }
  };

  const take = (path, content) => {
    element("path").value = path;
    text.value = content;
    element("job").value = "";
    update();
  };
  const takeFile = async (file) => {
    if (!file) return;
    element("example").value = "";
    take(file.name, await file.text());
  };
  for (const { path } of EXAMPLES) element("example").append(made("option", path));
  const example = (path) => {
    const found = EXAMPLES.find((one) => one.path === path);
    if (found) take(found.path, found.text);
  };
  element("example").addEventListener("change", () => example(element("example").value));
  element("file").addEventListener("change", (event) => takeFile(event.target.files[0]));
  for (const name of ["text", "path", "zone", "prefix"]) element(name).addEventListener("input", later);
  text.addEventListener("input", () => (element("example").value = ""));
  for (const name of ["window", "days", "job", "apart"]) element(name).addEventListener("input", update);
  for (const input of document.querySelectorAll('[name="mode"]')) input.addEventListener("change", update);
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  document.addEventListener("dragleave", () => document.body.classList.remove("dropping"));
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    takeFile(event.dataTransfer.files[0]);
  });

  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (own && own !== "UTC") element("zones").append(made("option", own));
  const begin = async (fragment) => {
    if (await open(fragment)) {
      element("example").value = "";
      update();
    } else {
      element("example").value = EXAMPLES[0].path;
      example(EXAMPLES[0].path);
    }
  };
  addEventListener("hashchange", () => begin(location.hash.slice(1)));
  begin(location.hash.slice(1));
}
