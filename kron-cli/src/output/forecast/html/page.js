"use strict";
{
  const data = JSON.parse(document.getElementById("data").textContent);
  const slider = document.getElementById("bucket");
  const sides = Object.entries(data.sides);
  const buckets = Number(slider.max) + 1;
  const utc = (second) => new Date(second * 1000).toISOString().replace(".000Z", "Z");

  const countText = (starts, listed) => {
    if (starts === 0) return "No job starts in this bucket.";
    const text = starts === 1 ? "1 start" : `${starts} starts`;
    return listed ? text : `${text}. Only the jobs of the buckets with the most starts are listed.`;
  };

  const item = (text) => {
    const element = document.createElement("li");
    element.textContent = text;
    return element;
  };

  const show = (bucket) => {
    const from = data.from + bucket * data.per;
    const until = Math.min(from + data.per, data.until);
    const time = `${utc(from)} to ${utc(until)}`;
    document.getElementById("time").textContent = time;
    const spoken = [utc(from)];
    for (const [name, side] of sides) {
      const starts = side.starts[bucket];
      const listed = side.listed[bucket];
      spoken.push(`${name} ${starts}`);
      const section = document.querySelector(`[data-list="${name}"]`);
      section.querySelector(".count").textContent = countText(starts, listed);
      const items = (listed ? listed.jobs : []).map(([job, times]) =>
        item(times === 1 ? data.names[job] : `${data.names[job]} (${times})`),
      );
      if (listed && listed.more > 0) items.push(item(`${listed.more} more jobs`));
      section.querySelector("ul").replaceChildren(...items);
      const figure = document.querySelector(`[data-side="${name}"]`);
      const marker = figure.querySelector(".marker");
      const columns = figure.querySelector("svg").viewBox.baseVal.width;
      const column = Math.floor(bucket / Math.ceil(buckets / columns)) + 0.5;
      marker.setAttribute("x1", column);
      marker.setAttribute("x2", column);
      figure.classList.add("marked");
    }
    slider.setAttribute("aria-valuetext", spoken.join(", "));
  };

  slider.addEventListener("input", () => show(Number(slider.value)));
  for (const [name, side] of sides) {
    const svg = document.querySelector(`[data-side="${name}"] svg`);
    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      const columns = svg.viewBox.baseVal.width;
      const width = Math.ceil(buckets / columns);
      const column = Math.min(Math.floor(((event.clientX - box.left) / box.width) * columns), columns - 1);
      // A column shows the greatest of its buckets, so that one is chosen.
      let best = Math.max(column, 0) * width;
      for (let bucket = best; bucket < Math.min((column + 1) * width, buckets); bucket += 1) {
        if (side.starts[bucket] > side.starts[best]) best = bucket;
      }
      slider.value = best;
      show(best);
    });
  }
  document.getElementById("buckets").hidden = false;
  const peak = sides[0][1].starts;
  slider.value = peak.indexOf(peak.reduce((a, b) => Math.max(a, b), 0));
  show(Number(slider.value));
}
