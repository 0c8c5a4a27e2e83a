/** The same in a terminal: what to type for the picture and the file of the page. */
const terminal = (() => {
  const quote = (word) => (/^[\w.,/:][\w.,/:-]*$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
  // What begins with a dash is an option, and what looks like a schedule is one.
  const argument = (name) => {
    const isText = name.startsWith("@") || name.trim().split(/\s+/).length > 4;
    return `${isText ? "-f " : ""}${quote(name.startsWith("-") ? `./${name}` : name)}`;
  };

  /**
   * The lines. `file` is the name of the file, and `isSaved` says whether it is one already: pasted text is given by `-`, so that names begin
   * as in the page.
   */
  return ({ cure, line, file, isSaved, isBare, windowLength, zone, days, prefix, isApart }) => {
    const window = windowLength === "none" ? "" : ` --window ${windowLength}`;
    const tz = ` --tz ${quote(zone || "UTC")}`;
    const range = days === 1 ? "" : ` --for ${days}d`;
    const forecast = (of, more = "") => `kron forecast --per 1m${range}${more}${tz} ${of}`;
    const spread = (of) => `kron spread --per 1m --for ${days}d${tz} -i ${of}`;
    const lines = [];
    let source = argument(file);
    const read = isSaved ? source : `- < ${quote(file)}`;
    // One schedule alone needs no file.
    if (!isSaved && !isApart && cure.kind !== "plain" && (isBare || isReadable(line))) {
      const [schedule, name = `${prefix || "my"}/job`] = line.split(" name=");
      return [`${forecast(quote(schedule), window)} --name ${quote(name)}`];
    }
    switch (cure.kind) {
      case "plain": {
        const place = `kron place --adopt${window} --prefix ${quote(prefix || "my")}${tz}`;
        if (isSaved) lines.push(`${place} -i ${source}`);
        else {
          source = `placed-${file}`;
          const input = isBare ? `echo ${quote(`${line} job`)} | ` : "";
          lines.push(`${input}${place} ${isBare ? "-" : read} > ${source}`);
        }
        // Only what is placed has a salt.
        if (isApart && cure.placed.length > 0) lines.push(spread(source));
        return [...lines, forecast(source)];
      }
      case "kron": {
        // Objects of Kubernetes become such objects.
        const made = /^kind:/m.test(cure.text) ? "kronjobs.yaml" : "jobs.kron";
        lines.push(`kron convert${window}${tz} --save ${made} ${read}`);
        if (isApart) lines.push(spread(made));
        return [...lines, forecast(made)];
      }
      case "jobs":
        // What the page shows is the file that it offers.
        return [cure.isAsWritten ? forecast(read, window) : forecast("jobs.kron")];
      case "salted":
        if (!isSaved) lines.push(`cp ${source} salted-${file}`);
        source = isSaved ? source : `salted-${file}`;
        return [...lines, spread(source), forecast(source)];
      default:
        return [forecast(read)];
    }
  };
})();
