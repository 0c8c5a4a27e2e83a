"""The page of `kron forecast -o html` in a real browser: by keyboard, by mouse, to a screen reader, in light and dark.

KRON names the command. Needs Chromium, ChromeDriver and selenium; `scripts/test_html.sh` installs them.
"""

import json
import os
import subprocess

import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

KRON = os.environ["KRON"]
RANGE = ["--from", "2026-03-23", "--until", "2026-03-30", "--per", "10m", "--cron"]
# The first name tries to end the script and to start another one.
HOSTILE = "</script><img/src=x/onerror=document.title='taken'>"
JOBS = "".join(f"0 */2 * * * @win(after,90m) name=team/job-{i:02}\n" for i in range(30)) + (
    f"*/10 * * * * name={HOSTILE}\n30 2 * * * @tz(Europe/Paris) @win(after,1h) name=a&amp;b/<b>paris</b>\n"
)


@pytest.fixture(scope="module")
def forecast(tmp_path_factory):
    """The page's path, and the same forecast as JSON."""
    folder = tmp_path_factory.mktemp("page")
    jobs, page = folder / "jobs.kron", folder / "herd.html"
    jobs.write_text(JOBS)

    def run(*more):
        command = [KRON, "forecast", str(jobs), *RANGE, *more]
        found = subprocess.run(command, check=True, capture_output=True, text=True)
        assert found.stderr == ""
        return found.stdout

    assert run("-o", "html", "--save", str(page)) == ""
    return page, json.loads(run("-o", "json"))


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
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    browser.get(forecast[0].as_uri())
    return browser


def shown(page, side):
    """What the page says of the chosen bucket on one side."""
    section = page.find_element(By.CSS_SELECTOR, f'[data-list="{side}"]')
    items = [item.text for item in section.find_elements(By.TAG_NAME, "li")]
    return section.find_element(By.CSS_SELECTOR, ".count").text, items


def listed(worst):
    return [job["name"] if job["starts"] == 1 else f"{job['name']} ({job['starts']})" for job in worst["jobs"]]


def choose(page, bucket):
    page.execute_script(
        "const s = document.getElementById('bucket'); s.value = arguments[0]; s.dispatchEvent(new Event('input'))", bucket
    )


def test_nothing_is_fetched_and_nothing_fails(page, forecast):
    assert page.title == "Kron forecast, 2026-03-23T00:00:00Z to 2026-03-30T00:00:00Z"
    assert page.get_log("browser") == []
    messages = [json.loads(entry["message"])["message"] for entry in page.get_log("performance")]
    requests = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
    assert requests and {url for url in requests if url.startswith(("http:", "https:", "ws"))} == set()
    assert len(forecast[0].read_bytes()) < 2_000_000


def test_names_are_text(page):
    assert page.execute_script("return document.images.length") == 0
    assert page.execute_script("return document.querySelectorAll('main b').length") == 0
    assert HOSTILE in page.find_element(By.TAG_NAME, "main").get_attribute("textContent")


def test_the_page_opens_at_the_peak_of_cron(page, forecast):
    cron = forecast[1]["cron"]
    at = cron["starts"]["peakAt"]
    assert page.find_element(By.ID, "time").text.startswith(f"{at} to ")
    count, items = shown(page, "cron")
    assert count == f"{cron['starts']['peak']} starts"
    assert sorted(items) == sorted(listed(cron["worst"][0]))


def test_every_bucket_lists_its_jobs(page, forecast):
    for side in ["cron", "kron"]:
        starts = forecast[1][side]["buckets"]["starts"]
        for bucket in [0, 1, 17, 500, len(starts) - 1]:
            choose(page, bucket)
            count, items = shown(page, side)
            wanted = {0: "No job starts in this bucket.", 1: "1 start"}
            assert count == wanted.get(starts[bucket], f"{starts[bucket]} starts")
            times = [int(item.rsplit(" (", 1)[1][:-1]) if item.endswith(")") else 1 for item in items]
            assert sum(times) == starts[bucket]
        for worst in forecast[1][side]["worst"]:
            first = forecast[1]["from"]
            seconds = page.execute_script("return (Date.parse(arguments[0]) - Date.parse(arguments[1])) / 1000", worst["at"], first)
            choose(page, int(seconds) // 600)
            assert shown(page, side)[1] == listed(worst)


def test_by_keyboard_alone(page, forecast):
    slider = page.find_element(By.ID, "bucket")
    for _ in range(30):
        ActionChains(page).send_keys(Keys.TAB).perform()
        if page.switch_to.active_element == slider:
            break
    assert page.switch_to.active_element == slider, "the Tab key does not reach the buckets"
    outline = page.execute_script("return getComputedStyle(arguments[0]).outlineStyle", slider)
    assert outline != "none"
    ActionChains(page).send_keys(Keys.HOME).perform()
    assert page.find_element(By.ID, "time").text == "2026-03-23T00:00:00Z to 2026-03-23T00:10:00Z"
    ActionChains(page).send_keys(Keys.ARROW_RIGHT).perform()
    assert page.find_element(By.ID, "time").text == "2026-03-23T00:10:00Z to 2026-03-23T00:20:00Z"
    ActionChains(page).send_keys(Keys.END).perform()
    assert page.find_element(By.ID, "time").text == "2026-03-29T23:50:00Z to 2026-03-30T00:00:00Z"
    # A list of jobs opens by the keyboard as well.
    summary = page.find_element(By.TAG_NAME, "summary")
    page.execute_script("arguments[0].focus()", summary)
    ActionChains(page).send_keys(Keys.ENTER).perform()
    assert page.find_element(By.TAG_NAME, "details").get_attribute("open") is not None


def test_a_click_in_a_chart_chooses_the_greatest_bucket_of_its_column(page, forecast):
    starts = forecast[1]["kron"]["buckets"]["starts"]
    svg = page.find_element(By.CSS_SELECTOR, '[data-side="kron"] svg')
    columns = int(svg.get_dom_attribute("viewBox").split()[2])
    width = -(-len(starts) // columns)
    for share in [0.0, 0.25, 0.5]:
        offset = int((share - 0.5) * (svg.size["width"] - 2))
        ActionChains(page).move_to_element_with_offset(svg, offset, 0).click().perform()
        bucket = int(page.find_element(By.ID, "bucket").get_property("value"))
        column = bucket // width
        assert abs(column - (0.5 + offset / svg.size["width"]) * columns) <= 1.5
        assert starts[bucket] == max(starts[column * width : (column + 1) * width])
        assert page.execute_script("return getComputedStyle(arguments[0]).visibility", svg.find_element(By.CSS_SELECTOR, ".marker")) == "visible"


def test_a_screen_reader_finds_names_and_values(page):
    page.execute_cdp_cmd("Accessibility.enable", {})
    choose(page, 0)
    nodes = page.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    nodes = [node for node in nodes if not node.get("ignored")]
    role = lambda node: node.get("role", {}).get("value")
    name = lambda node: node.get("name", {}).get("value", "")
    of = lambda wanted: [node for node in nodes if role(node) == wanted]
    (slider,) = of("slider")
    assert name(slider) == "Bucket"
    # The tree has the number only; a reader speaks the text of the attribute instead.
    spoken = page.find_element(By.ID, "bucket").get_dom_attribute("aria-valuetext")
    assert spoken.startswith("2026-03-23T00:00:00Z, cron 31, kron ")
    images = of("image") + of("img")
    assert [name(image)[:25] for image in images] == ["Starts per 10m0s, cron: a", "Starts per 10m0s, kron: a"]
    assert all(name(table) for table in of("table")) and len(of("table")) == 4
    headings = [name(node) for node in of("heading")]
    assert headings[0] == "Forecast of 32 jobs" and "The jobs of a bucket" in headings
    assert page.find_element(By.CSS_SELECTOR, "[aria-live=polite]").text.startswith("2026-03-23T00:00:00Z")
    assert page.execute_script("return document.documentElement.lang") == "en"


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
    for selector in ["p", "figcaption", "caption", ".cron h3", ".kron h3", "summary"]:
        text = page.execute_script(PAINTED, page.find_element(By.CSS_SELECTOR, selector), "color")
        assert contrast(text, background) >= 4.5, selector
    for selector in [".cron .bars", ".kron .bars"]:
        bars = page.execute_script(PAINTED, page.find_element(By.CSS_SELECTOR, selector), "fill")
        assert contrast(bars, background) >= 3, selector
    cells = page.find_elements(By.CSS_SELECTOR, ".heat td[style]")
    shares = {cell.get_attribute("style"): cell for cell in cells}
    assert len(shares) > 2
    for cell in shares.values():
        painted = page.execute_script(PAINTED, cell, "backgroundColor")
        text = page.execute_script(PAINTED, cell, "color")
        assert contrast(text, painted) >= 4.5, cell.get_attribute("style")


def test_without_scripts_everything_but_the_browser_of_buckets_is_there(page, forecast):
    page.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        page.get(forecast[0].as_uri())
        assert not page.find_element(By.ID, "buckets").is_displayed()
        assert len(page.find_elements(By.CSS_SELECTOR, ".heat td[style]")) == 2 * 168
        worst = forecast[1]["kron"]["worst"][0]
        summaries = [summary.text for summary in page.find_elements(By.TAG_NAME, "summary")]
        assert f"{worst['at']}: {worst['starts']} starts" in summaries
    finally:
        page.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
