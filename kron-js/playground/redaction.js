/**
 * Texts for links, without commands and other secrets: what says when something starts, and how it is called, is all that stays. The page
 * makes sure that the result shows the same as the text itself.
 */
const redaction = (() => {
  /** A value that can be a time, a name or a length. */
  const SIMPLE = /^(?:"[\w*,/?#L@:.+~ -]{0,80}"|'[\w*,/?#L@:.+~ -]{0,80}'|[\w*,/?L@:.+~ -]{0,80})$/;
  const isSimple = (value) => SIMPLE.test(value.trim());
  /** A line without a comment behind its value, which can say anything. Where a quote is open, nothing is cut, and nothing stays. */
  const withoutComment = (line) => line.replace(/^((?:[^#"']|"[^"]*"|'[^']*'|\S#)*?)\s+#.*$/, "$1");
  /** What `metadata` in one line may have. */
  const NAMES = /^\{(?:\s*(?:name|namespace)\s*:\s*["']?[\w.-]+["']?\s*,?)+\s*\}$/;
  /** A schedule in one line with its settings. */
  const FLOW = /^\{(?:\s*(?:schedule|cron|timeZone|timezone|suspend|concurrencyPolicy)\s*:\s*(?:"[^"$]*"|'[^'$]*'|[\w/+-]+)\s*,?)+\s*\}$/;
  /** Keys beside a schedule, and above it, with the values that stay. */
  const KEPT = [
    [/^(?:name|namespace|schedule|schedules|cron|timezone|timeZone)$/, SIMPLE],
    [/^apiVersion$/, /^["']?(?:batch\/v1|kron\.io\/v1alpha1|argoproj\.io\/v1alpha1)["']?$/],
    [/^kind$/, /^["']?(?:CronJob|KronJob|CronWorkflow)["']?$/],
    [/^(?:suspend|suspended|enabled)$/, /^["']?(?:true|false)["']?$/],
    [/^algorithm$/, /^["']?[a-z0-9-]+\/[0-9]+["']?$/],
    [/^concurrencyPolicy$/, /^["']?(?:Allow|Forbid|Replace)["']?$/],
    [/^startingDeadlineSeconds$/, /^\d+$/],
  ];
  const isKept = (key, value) => KEPT.some(([keys, values]) => keys.test(key) && values.test(value.trim()));
  /** Blocks of the spec of a KronJob that stay, and what stays in them. */
  const WHOLE = /^(?:window|distribution|seed|constraints|policy)$/;
  const WITHIN = /^(?:mode|duration|name|params|shape|mu|sigma|lambda|dir|strategy|salt|only|avoid|hours|dow|dom|months|between|dates?|concurrency|deadline|suspend)$/;
  /** Such a block in one line. */
  const FLAT = /^\{(?:\s*(?:mode|duration|name|strategy|salt|concurrency|deadline|suspend)\s*:\s*["']?[\w.-]+["']?\s*,?)+\s*\}$/;

  /** Lines with jobs have the name of the job in the place of the command. Zones and declarations stay. */
  const crontab = (lines, jobs) => {
    const named = new Map(jobs.map((job) => [job.line, job]));
    const kept = lines.flatMap((line, index) => {
      if (/^\s*(?:CRON_TZ|TZ)\s*=\s*["']?[\w/+-]+["']?\s*$/.test(line)) return [line];
      const declaration = /^\s*# kron: (.*)$/.exec(line);
      if (declaration) return isReadable(declaration[1].trim()) ? [line] : [];
      const job = named.get(index + 1);
      const found = /^\s*(@\w+|(?:\S+\s+){4}\S+)\s+(\S+)/.exec(line);
      if (!job || !found) return [];
      const [, schedule, user] = found;
      return [`${schedule} ${job.origin === "cron.d" ? `${user} ` : ""}${job.name}`];
    });
    return `${kept.join("\n")}\n`;
  };

  /** What a unit of systemd says of times. */
  const unit = (lines) => {
    const times = "OnCalendar|OnActiveSec|OnBootSec|OnStartupSec|OnUnitActiveSec|OnUnitInactiveSec|RandomizedDelaySec|FixedRandomDelay|Persistent|AccuracySec";
    const kept = new RegExp(`^\\s*(?:\\[\\w+\\]|(?:${times})\\s*=[\\w*,./:~ +-]*)\\s*$`);
    return `${lines.filter((line) => kept.test(line)).join("\n")}\n`;
  };

  /** The nodes of each line: the items of lists that begin there, and a key or a value. Each knows what it is in. */
  const nodesOf = (lines) => {
    let stack = [{ indent: -1 }];
    return lines.map(withoutComment).map((line, index) => {
      if (/^---\s*$/.test(line)) stack = [{ indent: -1 }];
      const [, indent, dashes, rest] = /^( *)((?:- +)*)(.*)$/.exec(line);
      if (rest === "" || /^#|^---/.test(rest)) return [];
      const nodes = [];
      const add = (node, isDone) => {
        while (isDone(stack.at(-1))) stack.pop();
        nodes.push(Object.assign(node, { index, parent: stack.at(-1) }));
        stack.push(node);
      };
      let at = indent.length;
      for (const [dash] of dashes.matchAll(/- +/g)) {
        const here = at;
        add({ indent: here, isItem: true }, (top) => top.indent > here || (top.indent === here && top.isItem));
        at += dash.length;
      }
      const [, , key, value] = /^(["']?)([\w./-]+)\1\s*:(?:\s+(.*))?$/.exec(rest) ?? [];
      add({ indent: at, key, value: key === undefined ? rest : (value ?? "") }, (top) => top.indent >= at);
      return nodes;
    });
  };

  /** Lines of YAML with schedules, the keys above them, and the settings beside both. */
  const yaml = (lines, jobs) => {
    const all = nodesOf(lines);
    const above = new Set();
    for (const { line } of jobs) {
      const [node] = all[line - 1]?.slice(-1) ?? [];
      for (let one = node?.parent; one; one = one.parent) above.add(one);
    }
    // A job of Kron has no line of its own in its object.
    const kronJobs = new Set(all.flat().filter(({ key, value }) => key === "kind" && /^["']?KronJob\b/.test(value)).map(({ parent }) => parent));
    const specs = new Set(all.flat().filter(({ key, parent }) => key === "spec" && kronJobs.has(parent)));
    for (const node of specs) above.add(node).add(node.parent);
    const wanted = new Set(jobs.map(({ line }) => line - 1));
    const kept = lines.map((whole, index) => {
      const line = withoutComment(whole);
      if (/^---\s*$/.test(line)) return line;
      if (/^\s*# kron: /.test(whole)) return isReadable(whole.trim().slice(8)) ? whole : null;
      const nodes = all[index];
      const node = nodes.at(-1);
      if (!node) return null;
      for (const one of nodes) one.isWhole = one.parent.isWhole;
      const head = line.slice(0, node.indent);
      const { key, value, parent } = node;
      if (key === undefined) return wanted.has(index) || parent.isWhole ? (isSimple(value) ? line : null) : null;
      if (wanted.has(index)) return isSimple(value) || FLOW.test(value.trim()) ? line : null;
      if (above.has(node)) return `${head}${key}:`;
      if (parent.isNames && /^(?:name|namespace)$/.test(key) && isSimple(value)) return line;
      if (parent.isWhole ? WITHIN.test(key) : specs.has(parent) && WHOLE.test(key)) {
        node.isWhole = true;
        return isSimple(value) || FLAT.test(value.trim()) ? line : null;
      }
      if (above.has(parent)) {
        if (isKept(key, value)) return line;
        // An object of Kubernetes is none without a template.
        if (key === "jobTemplate") return `${head}jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: job, image: job}]}}}}`;
        if (key === "metadata") {
          node.isNames = value.trim() === "";
          if (node.isNames || NAMES.test(value.trim())) return line;
        }
      }
      // The item of a list begins at what does not stay.
      return nodes.some((one) => above.has(one)) ? `${head}x-left-out: ""` : null;
    });
    return `${kept.filter((line) => line !== null).join("\n")}\n`;
  };

  /** A text without secrets, if it is of a kind that can be told. */
  return (text, jobs) => {
    const lines = text.split(/\r?\n/);
    if (jobs.every(({ origin }) => ["crontab", "cron.d", "declaration"].includes(origin)) && !/^\s*[\w"'-]+:(?:\s|$)/m.test(text)) return crontab(lines, jobs);
    if (jobs.some(({ origin }) => origin === "systemd")) return unit(lines);
    return yaml(lines, jobs);
  };
})();
