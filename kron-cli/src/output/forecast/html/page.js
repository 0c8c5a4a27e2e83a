"use strict";
// Shows the starts and the jobs of the column that somebody points at. `root` has the pictures, `data` what they are drawn from.
const showForecast = (root, data) => {
  const slider = root.querySelector("#column");
  const columns = data.sides[0].starts.length;
  const plots = [...root.querySelectorAll(".plot")];
  const jobs = [...root.querySelectorAll("#jobs li")];
  const SCHEDULES = 5;
  const NAMES = 12;

  const offset = (second) => data.offsets.findLast(([from]) => from <= second)[1];
  const civil = (second) => new Date((second + offset(second)) * 1000);
  const pad = (number) => String(number).padStart(2, "0");
  const days = "Sun Mon Tue Wed Thu Fri Sat".split(" ");
  const months = "January February March April May June July August September October November December".split(" ");

  // As people read a time. Where the clocks of the range change, the offset says which of two equal times it is.
  const clock = (second) => {
    const at = civil(second);
    const time = [at.getUTCHours(), at.getUTCMinutes()];
    if (data.per % 60 || second % 60) time.push(at.getUTCSeconds());
    const text = time.map(pad).join(":");
    if (data.offsets.length < 2) return text;
    const minutes = Math.abs(offset(second)) / 60;
    return `${text} (UTC${offset(second) < 0 ? "-" : "+"}${Math.floor(minutes / 60)}:${pad(Math.floor(minutes % 60))})`;
  };
  const day = (second) => {
    const at = civil(second);
    return `${days[at.getUTCDay()]} ${at.getUTCDate()} ${months[at.getUTCMonth()]}`;
  };
  const number = (count) => count.toLocaleString("en");
  const starts = (count) => (count === 0 ? "no start" : count === 1 ? "1 start" : `${number(count)} starts`);

  // "3-7,9*2": jobs 3 to 7 once, job 9 twice.
  const members = (text) =>
    text.split(",").flatMap((run) => {
      const [ends, times] = run.split("*");
      const [first, last] = ends.split("-").map(Number);
      return Array.from({ length: (last ?? first) - first + 1 }, (_, i) => [first + i, Number(times ?? 1)]);
    });

  const item = (...parts) => {
    const element = document.createElement("li");
    element.append(...parts);
    return element;
  };

  // The jobs by schedule, as they stand in the list of the page.
  const items = (text) => {
    const groups = new Map();
    for (const [job, times] of members(text)) {
      const heading = jobs[job].parentElement.previousElementSibling.querySelector("code");
      const group = groups.get(heading) ?? { starts: 0, names: [] };
      group.starts += times;
      group.names.push(times === 1 ? jobs[job].textContent : `${jobs[job].textContent} ${times}`);
      groups.set(heading, group);
    }
    const sorted = [...groups].sort(([, a], [, b]) => b.starts - a.starts);
    const lines = sorted.slice(0, SCHEDULES).map(([heading, { starts, names }]) => {
      const more = names.length > NAMES ? `, ${number(names.length - NAMES)} more` : "";
      return item(`${number(starts)} × `, heading.cloneNode(true), `  ${names.slice(0, NAMES).join(", ")}${more}`);
    });
    if (sorted.length > SCHEDULES) lines.push(item(`${number(sorted.length - SCHEDULES)} more schedules`));
    return lines;
  };

  // What each side says of a column, with the name of the side.
  const textsOf = (column) =>
    data.sides.map((side, index) => {
      const at = data.from + (column * data.buckets + (side.at[column] ?? 0)) * data.per;
      const name = root.querySelector(`[data-side="${index}"] .name`).textContent;
      const count = side.starts[column];
      const text = side.base.length > 0 ? `${number(count)} with the base` : starts(count);
      return [`${day(at)}, ${clock(at)}: ${text}`, name];
    });

  // Moves the slider, and says where it is to a reader who hears the page.
  const move = (column) => {
    slider.value = column;
    slider.setAttribute("aria-valuetext", textsOf(column).map((text) => text.join(" ")).join(", "));
  };

  const show = (column) => {
    move(column);
    root.querySelector("#readout [aria-live]").hidden = false;
    textsOf(column).forEach(([text, name], index) => {
      const side = data.sides[index];
      const list = root.querySelector(`[data-list="${index}"]`);
      const base = side.base[column] ?? 0;
      const listed = side.listed[column];
      list.querySelector("b").textContent = text;
      const unlisted = side.starts[column] > base && !listed ? " (jobs are listed where more start)" : "";
      list.querySelector("span").textContent = name + unlisted;
      const lines = listed ? items(listed) : [];
      if (base > 0) lines.push(item(`${number(base)} × ${data.base}`));
      list.querySelector("ul").replaceChildren(...lines);
      const marker = plots[index].querySelector(".marker");
      marker.hidden = false;
      marker.style.left = `${((column + 0.5) / columns) * 100}%`;
    });
  };

  slider.addEventListener("input", () => show(Number(slider.value)));
  slider.addEventListener("focus", () => show(Number(slider.value)));
  const point = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    const column = Math.floor(((event.clientX - box.left) / box.width) * columns);
    show(Math.max(0, Math.min(columns - 1, column)));
  };
  for (const plot of plots) {
    plot.addEventListener("pointermove", point);
    plot.addEventListener("pointerdown", point);
  }
  // The page opens without a chosen time: what starts in the fullest column stands below already.
  root.querySelector("#readout").hidden = false;
  const first = data.sides[0].starts;
  move(first.indexOf(Math.max(...first)));
};
