"""The page of `kron forecast -o html` in a real browser: by keyboard, by mouse, to a screen reader, in light and dark, wide and narrow.

KRON names the command. Needs Chromium, ChromeDriver, selenium and axe-core; `scripts/test_html.sh` installs them.
"""

import importlib.util
import json
import os
import pathlib
import subprocess

import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

KRON = os.environ["KRON"]
RANGE = ["--from", "2026-03-23", "--until", "2026-03-30", "--per", "10m"]
# The first name tries to end the script and to start another one.
HOSTILE = "</script><img/src=x/onerror=document.title='taken'>"
JOBS = "".join(f"0 */2 * * * @win(after,90m) name=team/job-{i:02}\n" for i in range(30)) + (
    f"*/10 * * * * name={HOSTILE}\n30 2 * * * @tz(Europe/Paris) @win(after,1h) name=a&amp;b/<b>paris</b>\n"
)


@pytest.fixture(scope="module")
def forecast(tmp_path_factory):
    """The page's path, and the same forecast as JSON."""
    folder = tmp_path_factory.mktemp("page")
    jobs, page, base = folder / "jobs.kron", folder / "herd.html", folder / "base.csv"
    jobs.write_text(JOBS)
    base.write_text("time,load\n00:00,2\n04:00,0\n")

    def run(*more):
        command = [KRON, "forecast", str(jobs), *RANGE, "--base", str(base), "--by", "namespace", *more]
        found = subprocess.run(command, check=True, capture_output=True, text=True)
        assert found.stderr == ""
        return found.stdout

    assert run("-o", "html", "--save", str(page)) == ""
    return page, json.loads(run("-o", "json", "--cron"))


@pytest.fixture(scope="module")
def browser():
    options = webdriver.ChromeOptions()
    for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1000,900"]:
        options.add_argument(argument)
    options.binary_location = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = webdriver.ChromeService(os.environ.get("CHROMEDRIVER", "/usr/bin/chromedriver"))
    driver = webdriver.Chrome(options=options, service=service)
    yield driver
    driver.quit()


@pytest.fixture
def page(browser, forecast):
    resize(browser, 1000)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    browser.get(forecast[0].as_uri())
    return browser


def resize(browser, width):
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


# A week has 1,008 buckets, and a column of an hour six of them.
BUCKETS = 6


def shown(page, side):
    """What the page says of the chosen column on one side: the time, the starts, and the starts of each line."""
    section = page.find_element(By.CSS_SELECTOR, f'[data-list="{side}"]')
    time, _, count = section.find_element(By.TAG_NAME, "b").text.rpartition(": ")
    items = [item.text for item in section.find_elements(By.TAG_NAME, "li")]
    return time, int(count.split()[0].replace("no", "0")), items


def choose(page, column):
    page.execute_script(
        "const s = document.getElementById('column'); s.value = arguments[0]; s.dispatchEvent(new Event('input'))", column
    )


def fullest(forecast, side, column):
    starts = forecast[1][side]["buckets"]["starts"][column * BUCKETS : (column + 1) * BUCKETS]
    return starts.index(max(starts)), max(starts)


def test_nothing_is_fetched_and_nothing_fails(page, forecast):
    assert page.title == page.find_element(By.TAG_NAME, "h1").text
    assert page.title == "Fullest 10 minutes of starts and base, Mon 23 to Sun 29 March: 33 as written, 13 as spread (2.5 times less)"
    assert page.get_log("browser") == []
    messages = [json.loads(entry["message"])["message"] for entry in page.get_log("performance")]
    requests = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
    assert requests and {url for url in requests if url.startswith(("http:", "https:", "ws"))} == set()
    assert len(forecast[0].read_bytes()) < 60_000


def test_names_are_text(page):
    assert page.execute_script("return document.images.length") == 0
    assert page.execute_script("return document.querySelectorAll('#jobs b').length") == 0
    assert HOSTILE in page.find_element(By.TAG_NAME, "main").get_attribute("textContent")


def test_the_page_opens_without_a_chosen_time(page):
    chosen = page.find_element(By.CSS_SELECTOR, "#readout [aria-live]")
    assert not chosen.is_displayed()
    assert not any(marker.is_displayed() for marker in page.find_elements(By.CSS_SELECTOR, ".marker"))
    assert [b.text for b in page.find_elements(By.CSS_SELECTOR, "h3 b")][0] == "Mon 23 00:00: 33 with the base"


def test_the_first_chosen_time_is_the_peak_of_what_is_written(page, forecast):
    cron = forecast[1]["cron"]
    page.find_element(By.ID, "column").send_keys(Keys.NULL)
    assert cron["starts"]["peakAt"] == "2026-03-23T00:00:00Z"
    time, count, items = shown(page, 0)
    assert (time, count) == ("Mon 23 March, 00:00", cron["starts"]["peak"])
    assert items[0].startswith("30 × 0 */2 * * * team/job-00, team/job-01, ") and items[0].endswith(", 18 more")
    assert items[1:] == [f"1 × */10 * * * * {HOSTILE}", "2 × there already (--base)"]


def test_every_column_says_its_fullest_bucket(page, forecast):
    for side, name in enumerate(["cron", "kron"]):
        for column in [0, 1, 17, 100, 167]:
            choose(page, column)
            place, starts = fullest(forecast, name, column)
            time, count, items = shown(page, side)
            minutes = (column * BUCKETS + place) * 10
            assert time.endswith(f", {minutes // 60 % 24:02}:{minutes % 60:02}") and count == starts
            if items and len(items) > 1:
                assert sum(int(item.split(" × ")[0]) for item in items) == starts


def test_jobs_are_listed_for_the_fullest_columns(page, forecast):
    listed = page.execute_script("return JSON.parse(document.getElementById('data').textContent).sides.map(s => Object.keys(s.listed).length)")
    assert listed == [100, 100]
    for side, name in enumerate(["cron", "kron"]):
        for worst in forecast[1][name]["worst"]:
            seconds = page.execute_script("return (Date.parse(arguments[0]) - Date.parse(arguments[1])) / 1000", worst["at"], forecast[1]["from"])
            column, place = divmod(int(seconds) // 600, BUCKETS)
            if fullest(forecast, name, column)[0] != place:
                continue
            choose(page, column)
            names = " ".join(shown(page, side)[2])
            assert all(job["name"] in names for job in worst["jobs"][:12] if len(worst["jobs"]) < 12)


def test_by_keyboard_alone(page, forecast):
    slider = page.find_element(By.ID, "column")
    for _ in range(30):
        ActionChains(page).send_keys(Keys.TAB).perform()
        if page.switch_to.active_element == slider:
            break
    assert page.switch_to.active_element == slider, "the Tab key does not reach the times"
    outline = page.execute_script("return getComputedStyle(arguments[0]).outlineStyle", slider)
    assert outline != "none"
    ActionChains(page).send_keys(Keys.HOME).perform()
    assert shown(page, 0)[0] == "Mon 23 March, 00:00"
    ActionChains(page).send_keys(Keys.ARROW_RIGHT).perform()
    assert shown(page, 0)[0] == "Mon 23 March, 01:30"
    ActionChains(page).send_keys(Keys.END).perform()
    assert shown(page, 0)[0] == "Sun 29 March, 23:00"
    # What is folded opens by the keyboard as well.
    summary = page.find_element(By.TAG_NAME, "summary")
    page.execute_script("arguments[0].focus()", summary)
    ActionChains(page).send_keys(Keys.ENTER).perform()
    assert page.find_element(By.TAG_NAME, "details").get_attribute("open") is not None


def test_pointing_at_a_picture_chooses_its_column(page):
    plot = page.find_element(By.CSS_SELECTOR, '[data-side="1"] .plot')
    for share in [0.1, 0.25, 0.5, 0.9]:
        offset = int((share - 0.5) * plot.size["width"])
        ActionChains(page).move_to_element_with_offset(plot, offset, 0).perform()
        column = int(page.find_element(By.ID, "column").get_property("value"))
        assert abs(column - share * 168) <= 1.5
        for marker in page.find_elements(By.CSS_SELECTOR, ".marker"):
            assert marker.is_displayed()
            assert abs(marker.rect["x"] - plot.rect["x"] - share * plot.size["width"]) < 5


def test_times_are_in_the_zone_of_the_command(browser, tmp_path):
    jobs = tmp_path / "jobs.kron"
    jobs.write_text("*/30 * * * * name=a\n*/30 * * * * name=b\n")
    command = [KRON, "forecast", str(jobs), "--day", "2026-10-25", "--tz", "Europe/Paris", "-o", "html"]
    page = tmp_path / "autumn.html"
    page.write_bytes(subprocess.run(command, check=True, capture_output=True).stdout)
    browser.get(page.as_uri())
    times = set()
    for column in range(360):
        choose(browser, column)
        times.add(shown(browser, 0)[0])
    # 02:30 occurs twice.
    assert {"Sun 25 October, 02:30 (UTC+2:00)", "Sun 25 October, 02:30 (UTC+1:00)", "Sun 25 October, 23:30 (UTC+1:00)"} <= times


def test_a_screen_reader_finds_names_and_values(page):
    page.execute_cdp_cmd("Accessibility.enable", {})
    page.execute_script("document.querySelectorAll('details').forEach(d => d.open = true)")
    choose(page, 0)
    nodes = page.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    nodes = [node for node in nodes if not node.get("ignored")]
    role = lambda node: node.get("role", {}).get("value")
    name = lambda node: node.get("name", {}).get("value", "")
    of = lambda wanted: [node for node in nodes if role(node) == wanted]
    (slider,) = of("slider")
    assert name(slider) == "Point at the pictures, or choose a time with the arrow keys"
    # The tree has the number only; a reader speaks the text of the attribute instead.
    spoken = page.find_element(By.ID, "column").get_dom_attribute("aria-valuetext")
    assert spoken.startswith("Mon 23 March, 00:00: 33 with the base as written, Mon 23 March, 00:")
    images = of("image") + of("img")
    assert [name(image) for image in images] == [
        "as written: at most 33 starts and base per 10 minutes",
        "as spread: at most 13 starts and base per 10 minutes",
    ]
    maps = [name(table) for table in of("table") if name(table)]
    assert maps == [f"Fullest 10 minutes of each hour, {side}" for side in ["as written", "as spread"]]
    assert len(of("columnheader")) >= 48 and len(of("rowheader")) >= 14
    headings = [name(node) for node in of("heading")]
    assert headings[0] == page.title and "What starts at the fullest times, as written" in headings
    assert page.find_element(By.CSS_SELECTOR, "[aria-live=polite]").text.startswith("Mon 23 March, 00:00")
    assert page.execute_script("return document.documentElement.lang") == "en"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 400])
def test_axe_finds_nothing_and_nothing_is_lost(page, scheme, width):
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    resize(page, width)
    page.execute_script("document.querySelectorAll('details').forEach(d => d.open = true)")
    package = importlib.util.find_spec("axe_playwright_python").submodule_search_locations[0]
    page.execute_script((pathlib.Path(package) / "axe.min.js").read_text())
    found = page.execute_async_script("const done = arguments[0]; axe.run().then(done)")
    assert [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in found["violations"]] == []
    # Nothing is wider than the window, and no text is cut off.
    assert page.execute_script("return document.documentElement.scrollWidth") <= width
    cut = "return [...document.querySelectorAll('main *')].filter(e => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX != 'visible').length"
    assert page.execute_script(cut) == 0
    labels = page.execute_script("return [...document.querySelectorAll('.axis span')].map(s => s.getBoundingClientRect()).filter(r => r.width).map(r => [r.left, r.right])")
    assert len(labels) >= 4 and all(one[1] < two[0] for one, two in zip(labels, labels[1:]))


def luminance(color):
    def linear(part):
        part /= 255
        return part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4

    red, green, blue = map(linear, color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(a, b):
    high, low = sorted([luminance(a), luminance(b)], reverse=True)
    return (high + 0.05) / (low + 0.05)


# Colours as the browser paints them, by a canvas; half transparent ones are painted over the page.
PAINTED = """
const [element, property] = arguments;
const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
const paint = (color) => { canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); };
paint(getComputedStyle(document.body).backgroundColor);
if (element) paint(getComputedStyle(element)[property]);
return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_have_contrast(page, scheme):
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    background = page.execute_script(PAINTED, None, None)
    assert (luminance(background) > 0.5) == (scheme == "light")
    for selector in ["h1", ".dim", ".before .name", ".after .name", ".level span", ".axis span", "summary"]:
        text = page.execute_script(PAINTED, page.find_element(By.CSS_SELECTOR, selector), "color")
        assert contrast(text, background) >= 4.5, selector
    for selector in [".before .bars", ".after .bars", ".base"]:
        bars = page.execute_script(PAINTED, page.find_element(By.CSS_SELECTOR, selector), "fill")
        assert contrast(bars, background) >= 3, selector
    cells = page.find_elements(By.CSS_SELECTOR, ".heat [style]")
    shares = {cell.get_attribute("style"): cell for cell in cells}
    assert len(shares) > 2
    for cell in shares.values():
        painted = page.execute_script(PAINTED, cell, "backgroundColor")
        text = page.execute_script(PAINTED, cell, "color")
        assert contrast(text, painted) >= 4.5, cell.get_attribute("style")


def test_without_scripts_everything_but_the_times_is_there(page, forecast):
    page.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        page.get(forecast[0].as_uri())
        assert not page.find_element(By.ID, "readout").is_displayed()
        assert len(page.find_elements(By.CSS_SELECTOR, ".heat [role=cell]")) == 2 * (168 + 1)
        headings = [heading.text for heading in page.find_elements(By.TAG_NAME, "h3")]
        assert headings[0].startswith("Mon 23 00:00: 33 with the base")
        assert len(page.find_elements(By.CSS_SELECTOR, "#jobs li")) == 32
    finally:
        page.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_a_printed_page_has_no_controls(page):
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": [{"name": "prefers-color-scheme", "value": "dark"}]})
    try:
        assert not page.find_element(By.ID, "readout").is_displayed()
        assert all(svg.is_displayed() for svg in page.find_elements(By.CSS_SELECTOR, ".plot svg"))
        assert luminance(page.execute_script(PAINTED, None, None)) > 0.5
    finally:
        page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
