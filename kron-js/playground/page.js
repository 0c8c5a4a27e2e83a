{
  const element = (id) => document.getElementById(id);
  const text = element("text");
  const WINDOWS = [0, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200];
  const EXAMPLES = JSON.parse(element("examples").textContent);
  const SHOWN = 50;

  const length = (seconds) => (seconds === 0 ? "none" : seconds % 3600 === 0 ? `${seconds / 3600}h` : `${seconds / 60}m`);
  const windowSeconds = () => WINDOWS[Number(element("window").value)];
  /** What the user chose; the text may allow one only. */
  let chosenMode = "plain";
  const mode = () => chosenMode;
  const plural = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
  const made = (tag, ...parts) => {
    const found = document.createElement(tag);
    found.append(...parts);
    return found;
  };

  // What a test waits for.
  window.currentQuestion = () => id;
  window.currentData = () => known.data;
  let id = 0;
  let isWaiting = false;
  /** What the worker said of the last question. */
  let known = {};

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
    id += 1;
    clearTimeout(counting);
    counting = setTimeout(() => say("Counting ..."), 400);
    answers.ask(state());
  };
  let counting = 0;
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

  const hear = (data) => {
    if (data.ready) {
      element("status").title = `Kron ${data.ready.version}, time zones ${data.ready.tzdbVersion}`;
      return;
    }
    // Of the worker itself, and not of a question.
    if (data.id === undefined) return showError(data.error);
    if (data.id !== id) return;
    known = known.id === id ? Object.assign(known, data) : { ...data };
    if (data.jobs) showJobs(data);
    if (data.html !== undefined) showing.push(showPicture(data));
    if (data.coming) showComing(data);
    if (data.cure) showing.push(showCure(data));
    if (data.findings || data.lint || data.cure) showProblems();
    if (data.error) showError(data.error);
    if (data.done) Promise.all(showing.splice(0)).then(() => (data.id === id ? (document.body.dataset.done = id) : null));
  };
  /** What is being inserted. */
  const showing = [];
  const answers = new Answers(element("worker").textContent, element("module").textContent, hear);
  element("module").remove();

  /** Inserts pieces, as many between two frames as there is time for. */
  const inPieces = async (pieces, insert) => {
    const question = id;
    let begin = performance.now();
    for (const piece of pieces) {
      if (performance.now() - begin > 12) {
        await new Promise((resolve) => setTimeout(resolve));
        if (question !== id) return false;
        begin = performance.now();
      }
      insert(piece);
    }
    return true;
  };

  // What stands below a message must not be of another text.
  const showError = (message) => {
    clearTimeout(counting);
    clear();
    element("status").textContent = message;
    element("status").classList.add("error");
    document.body.dataset.done = id;
  };
  const clear = () => {
    known = {};
    document.title = "Kron playground";
    element("picture").replaceChildren();
    element("cure").replaceChildren();
    for (const name of ["starts", "result", "problems"]) element(name).hidden = true;
  };

  let emptyText = "Paste something above, or choose an example.";
  const showJobs = ({ jobs, findings, isNew }) => {
    element("status").classList.remove("error");
    if (jobs.length === 0) {
      clearTimeout(counting);
      clear();
      known = { id, jobs, findings };
      const first = findings.find(({ severity }) => severity === "error")?.message;
      element("status").textContent = text.value.trim() === "" ? emptyText : (first ?? "There is no schedule in this text.");
      if (first) element("status").classList.add("error");
      return;
    }
    for (const name of ["starts", "result"]) element(name).hidden = false;
    if (!isNew) return;
    const select = element("job");
    const chosen = select.value;
    const options = jobs.slice(0, 1000).map((job, index) => {
      const option = made("option", `${job.name}  ${job.schedule}`);
      option.value = index;
      return option;
    });
    select.replaceChildren(...options);
    if (Number(chosen) < options.length && chosen !== "") select.value = chosen;
  };

  const showPicture = async ({ html, list, data, sentence, failed, isOfKron }) => {
    clearTimeout(counting);
    if (known.jobs?.length === 0) return;
    const root = element("picture");
    root.innerHTML = html;
    const lost = failed.length > 0 ? ` ${plural(failed.length, "job")} never starts: ${failed[0].name}: ${failed[0].message}` : "";
    element("status").textContent = lost;
    document.title = sentence;
    for (const input of document.querySelectorAll('[name="mode"]')) {
      input.disabled = isOfKron;
      input.checked = input.value === (isOfKron ? "kron" : chosenMode);
    }
    // Names of one schedule come in several pieces.
    const isWhole = await inPieces(list, (piece) => {
      const isHeading = piece.startsWith("<h3>");
      const parent = root.querySelector("#jobs");
      (isHeading ? parent : parent.lastElementChild).insertAdjacentHTML("beforeend", isHeading ? `${piece}<ul></ul>` : piece);
    });
    if (isWhole && data) showForecast(root, data);
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
      const start = made("button", readable(chosenTime));
      // Why it starts then.
      for (const event of ["pointerenter", "focus", "click"]) start.addEventListener(event, () => (strip.innerHTML = svg));
      return made("tr", made("td", start), made("td", readable(nominalTime)));
    });
    const head = made("thead", made("tr", made("th", "Start"), made("th", "As written")));
    element("coming").replaceChildren(made("table", head, made("tbody", ...rows)));
    strip.innerHTML = coming[0].svg;
  };

  /** Lines of the file that the page inserts at once. A browser lays out those in sight alone. */
  const LINES = 200;
  const showCure = async ({ cure }) => {
    const lines = cure.text.split(/(?<=\n)/);
    const blocks = Array.from({ length: Math.ceil(lines.length / LINES) }, (_, index) => lines.slice(index * LINES, (index + 1) * LINES));
    element("cure").replaceChildren();
    element("cure").scrollTop = 0;
    showChanges(cure);
    await inPieces(blocks, (block) => {
      const shown = made("pre", block.join(""));
      shown.style.containIntrinsicHeight = `auto ${block.length * 1.45}em`;
      element("cure").append(shown);
    });
  };

  const showChanges = (cure) => {
    const words = {
      plain: () => {
        const left = cure.left.length > 0 ? `, ${plural(cure.left.length, "schedule")} left alone` : "";
        return `${plural(cure.placed.length, "schedule")} with a time of ${cure.placed.length === 1 ? "its" : "their"} own, at most ${length(windowSeconds())} later${left}.`;
      },
      kron: () => "Jobs of Kron with the window as an option of the schedule.",
      jobs: () => "A job file of Kron.",
      manifest: () => "These are jobs of Kron already. Their windows stand in the manifests, which stay as they are.",
      salted: () => "The manifests with salts that keep starts apart. Nothing else is changed.",
      refused: () => "Nothing is placed: the text has an error, which stands above.",
      unchanged: () => "As it is: choose a window to spread it.",
    };
    element("changes").textContent = words[cure.kind]();
    const path = element("path").value.trim();
    element("terminal").textContent = terminal({
      cure: { ...cure, isAsWritten: cure.kind === "jobs" && known.isOfKron && !element("apart").checked },
      line: text.value.trim(),
      // A text without a name is a file once it is saved.
      file: path || nameOf(),
      isSaved: path !== "" || known.path === "job.timer",
      isBare: known.isBare,
      windowLength: length(windowSeconds()),
      zone: element("zone").value.trim(),
      days: Number(element("days").value),
      prefix: element("prefix").value.trim(),
      isApart: element("apart").checked,
    }).join("\n");
  };

  /** Helps name options of the command. The page has boxes. */
  const HELPS = [
    [/^name the host by `--host`$/, "write the name of the host into the box `Names begin with`, in the place of `{host}`"],
    [/^add `--tz ZONE`.*$/, "choose the time zone above, if the schedules are from another machine"],
    [/^leave `@tz` out, or say by `--tz` in which zone the schedule is read$/, "leave `@tz` out, or choose the time zone above"],
    [/, or use `--force '.*'` to write/, ", or take the declaration out to write"],
    [/^(?:add|convert it with) `--format ([\w.]+)`.*$/, "give it a name above that says what it is, such as `$1`"],
    [/^add `--format`.*$/, "give it a name above that says what it is, such as `crontab` or `backup.timer`"],
    [/: adopt it by `--key KEY`$/, ""],
    [/^give its dates, with `--calendar FILE`.*$/, "the page knows no calendars: use the command `kron`"],
    [/^give `--prefix`, or `--namespace` for objects of Kubernetes$/, "fill the box `Names begin with`"],
  ];
  const asHere = (text) => HELPS.reduce((help, known) => help.replace(...known), text);

  const showProblems = () => {
    const placing = known.cure?.findings ?? [];
    const left = known.cure?.left ?? [];
    const all = [...(known.findings ?? []), ...placing, ...(known.lint ?? [])];
    const rank = { error: 0, warning: 1, note: 2 };
    all.sort((a, b) => rank[a.severity] - rank[b.severity] || (a.line ?? 0) - (b.line ?? 0));
    // Reading, placing, converting and lint can find the same: the most severe one stands for all.
    const what = ({ line, message }) => `${line} ${message.replace(/^this schedule is left out: /, "")}`;
    const seen = new Set();
    const found = all.filter((one) => seen.size < seen.add(what(one)).size);
    const shown = found.slice(0, SHOWN).map(({ severity, line, name, message, help }) => {
      const item = made("li", made("b", `${severity}: `));
      item.className = severity;
      if (line) item.append(toLine(line), " ");
      item.append(`${name ? `${name}: ` : ""}${message}${help ? `; ${asHere(help)}` : ""}`);
      return item;
    });
    const leftAlone = left.slice(0, SHOWN - shown.length).map(({ line, text: schedule, reason }) =>
      made("li", toLine(line), ` ${schedule.trim()} is left alone, because it ${asHere(reason)}`),
    );
    const list = [...shown, ...leftAlone];
    const more = found.length + left.length - list.length;
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
  const copy = async (what, done, otherwise = "The browser does not let the page copy: select the text and copy it.") => {
    try {
      await navigator.clipboard.writeText(what);
      say(done);
    } catch {
      say(otherwise);
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
    const svg = await answers.reply({ svg: true });
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
    await image.decode();
    const canvas = made("canvas");
    [canvas.width, canvas.height] = [image.naturalWidth * 2, image.naturalHeight * 2];
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  };

  /** The name of a file for what is read. */
  const nameOf = () => {
    const path = (element("path").value.trim() || (known.path ?? "")).split("/").pop();
    const isYaml = /^["']?[\w.-]+["']?:(?:\s|$)/m.test(text.value);
    const isOfKron = known.jobs?.length > 0 && known.jobs.every(({ origin }) => origin === "kron");
    return path || (isYaml ? "schedules.yaml" : isOfKron ? "jobs.kron" : "crontab");
  };
  // A text area has line feeds alone.
  const cured = () => (hasReturns ? known.cure.text.replaceAll("\r\n", "\n").replaceAll("\n", "\r\n") : known.cure.text);
  let hasReturns = false;
  element("copy").addEventListener("click", () => copy(cured(), "The file is copied."));
  element("download").addEventListener("click", () => {
    const isJobFile = known.cure.kind === "jobs" || (known.cure.kind === "kron" && !/^kind:/m.test(known.cure.text));
    save(new Blob([cured()], { type: "text/plain" }), isJobFile ? "jobs.kron" : nameOf());
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

  const SETTINGS = [["w", "window"], ["days", "days"], ["tz", "zone"], ["as", "path"], ["prefix", "prefix"]];
  const defaultOf = (name) => (name === "days" ? "1" : element(name).defaultValue);
  /** A path for a link: folders of somebody's machine stay at home, those that say what a file is do not. */
  const pathToShare = (path) => (/^(?:[/~]|\.\.)/.test(path) && !/^\/etc\/(?:crontab|cron\.d\/[\w.-]+)$/.test(path) ? path.split("/").pop() : path);

  /**
   * What a link holds: the text as it is if its owner wants that, else one without commands that shows the same. Nothing if there is none.
   */
  const shared = async () => {
    const path = pathToShare(element("path").value.trim());
    if (element("with-commands").checked) return { text: text.value, path, mode: mode() };
    const redacted = { text: redaction(text.value, known.jobs), path, mode: mode() };
    const isSame = (other) => answers.reply({ other });
    if (await isSame(redacted)) return redacted;
    // The jobs alone, whose keeper is Kron.
    const jobs = { text: await answers.reply({ jobs: true }), path: "jobs.kron", mode: "kron" };
    if (jobs.text === null || known.jobs.some(({ name }) => !/^[\w.\/{}#-]+$/.test(name))) return null;
    return { ...jobs, isOther: !(await isSame(jobs)) };
  };

  const link = async () => {
    const line = text.value.trim();
    const settings = new URLSearchParams();
    const isPlainSchedule = isReadable(line) && known.jobs?.length === 1 && element("path").value.trim() === "";
    const packed = isPlainSchedule ? { path: "", mode: mode() } : await shared();
    if (packed === null) return null;
    for (const [key, name] of SETTINGS) {
      const value = name === "path" ? packed.path : element(name).value.trim();
      if (value !== "" && value !== defaultOf(name)) settings.set(key, value);
    }
    if (packed.mode !== "plain") settings.set("mode", packed.mode);
    if (element("apart").checked) settings.set("apart", "1");
    const rest = settings.toString() === "" ? "" : `&${settings}`;
    const begin = isPlainSchedule
      ? `#${encodeURI(line.replaceAll("_", "%5F").replaceAll(" ", "_")).replaceAll("#", "%23")}`
      : `#z=${await packing.pack(packed.text)}`;
    return { fragment: `${begin}${rest}`, isOther: packed.isOther };
  };
  element("copy-link").addEventListener("click", async () => {
    const found = await link();
    if (found === null) return say("No link without commands shows the same: tick the box for the text as it is.");
    history.replaceState(null, "", found.fragment);
    const shows = found.isOther ? " It shows these jobs as Kron starts them: tick the box for the text as it is." : "";
    copy(location.href, `The link is copied.${shows}`, `The link is in the address bar.${shows}`);
  });

  const open = async (fragment) => {
    const [first, ...rest] = fragment.split("&");
    const settings = new URLSearchParams(rest.join("&"));
    for (const [key, name] of SETTINGS) element(name).value = settings.get(key) ?? defaultOf(name);
    if (element("days").value === "") element("days").value = "1";
    chosenMode = settings.get("mode") === "kron" ? "kron" : "plain";
    element("apart").checked = settings.has("apart");
    const instant = Date.parse(settings.get("now"));
    fixedNow = Number.isNaN(instant) ? null : instant;
    if (first === "") return false;
    try {
      const packed = first.startsWith("z=");
      text.value = packed
        ? await packing.unpack(first.slice(2))
        : decodeURIComponent(decodeURI(first).replaceAll("_", " "));
      return true;
    } catch {
      text.value = "";
      emptyText = "This link is broken: paste the schedules themselves.";
      return true;
    }
  };

  const take = (path, content) => {
    hasReturns = content.includes("\r\n");
    element("path").value = path;
    text.value = content;
    element("job").value = "";
    update();
  };
  const takeFile = async (file) => {
    if (!file) return;
    element("example").value = "";
    id += 1;
    if (file.size > MOST) {
      text.value = "";
      showError(`${file.name} has ${file.size.toLocaleString("en")} bytes, more than a megabyte: use the command \`kron forecast\``);
      return;
    }
    try {
      take(file.name, new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer()));
    } catch {
      text.value = "";
      showError(`${file.name} is not UTF-8, or no file: save it as UTF-8`);
    }
  };
  for (const { path } of EXAMPLES) element("example").append(made("option", path));
  const example = (path) => {
    const found = EXAMPLES.find((one) => one.path === path);
    if (found) take(found.path, found.text);
  };
  element("example").addEventListener("change", () => example(element("example").value));
  element("file").addEventListener("change", async (event) => {
    await takeFile(event.target.files[0]);
    // The same file may be opened again after an edit.
    event.target.value = "";
  });
  for (const name of ["text", "path", "zone", "prefix"]) element(name).addEventListener("input", later);
  text.addEventListener("input", () => {
    hasReturns = false;
    element("example").value = "";
  });
  for (const name of ["window", "days", "job", "apart"]) element(name).addEventListener("input", update);
  for (const input of document.querySelectorAll('[name="mode"]')) input.addEventListener("change", () => {
    chosenMode = input.value;
    update();
  });
  const hasFiles = (event) => [...event.dataTransfer.types].includes("Files");
  document.addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  document.addEventListener("dragleave", () => document.body.classList.remove("dropping"));
  document.addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    document.body.classList.remove("dropping");
    takeFile(event.dataTransfer.files[0]);
  });

  // The zone of the reader first, and then all that the browser knows.
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zones = new Set(["UTC", own, ...(Intl.supportedValuesOf?.("timeZone") ?? [])].filter(Boolean));
  element("zones").replaceChildren(...[...zones].map((zone) => made("option", zone)));
  element("cure").addEventListener("keydown", (event) => {
    if (event.key !== "a" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    getSelection().selectAllChildren(element("cure"));
  });
  const begin = async (fragment) => {
    element("job").value = "";
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
