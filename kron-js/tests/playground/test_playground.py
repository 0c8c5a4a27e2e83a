"""The playground in a real browser, opened from a file: its numbers are those of the command, and nothing leaves it.

KRON names the command and PLAYGROUND the page. Needs Chromium, ChromeDriver, selenium and axe-core; `scripts/test_html.sh` has them.
"""

import importlib.util
import json
import os
import pathlib
import re
import subprocess
import time

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

KRON = os.environ["KRON"]
PAGE = pathlib.Path(os.environ["PLAYGROUND"])
ROOT = pathlib.Path(__file__).parents[3]
# A Monday.
NOW = "2026-03-01T12:00:00Z"
RANGE = ["--from", "2026-03-02", "--until", "2026-03-03"]


@pytest.fixture(scope="module")
def browser():
    options = webdriver.ChromeOptions()
    for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1000,900"]:
        options.add_argument(argument)
    options.binary_location = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = webdriver.ChromeService(os.environ.get("CHROMEDRIVER", "/usr/bin/chromedriver"))
    driver = webdriver.Chrome(options=options, service=service)
    driver.set_script_timeout(30)
    yield driver
    driver.quit()


def wait(browser, condition, what):
    until = time.monotonic() + 60
    while not browser.execute_script(f"return {condition}"):
        assert time.monotonic() < until, what
        time.sleep(0.02)


@pytest.fixture
def page(browser):
    """The page at a fixed instant, with its first example."""
    return opened(browser, f"&now={NOW}")


def opened(browser, fragment, width=1000):
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    # Another fragment alone does not load a page again.
    browser.get("about:blank")
    browser.get_log("browser")
    browser.get_log("performance")
    browser.get(f"{PAGE.as_uri()}#{fragment}")
    settled(browser)
    return browser


def settled(page):
    wait(page, "document.body.dataset.done === String(currentQuestion())", "the worker does not answer")


def put(page, path, text):
    """Pastes a text under a name."""
    page.execute_script(
        """const [path, text] = arguments;
        document.getElementById('path').value = path;
        document.getElementById('text').value = text;
        document.getElementById('text').dispatchEvent(new Event('input'));""",
        path,
        text,
    )
    settled(page)


def choose(page, name, value):
    page.execute_script(
        """const [name, value] = arguments;
        const input = document.getElementById(name);
        input.value = value;
        input.dispatchEvent(new Event('input'));""",
        name,
        value,
    )
    settled(page)


def mode(page, name):
    page.execute_script("document.querySelector(`[name=mode][value=${arguments[0]}]`).click()", name)
    settled(page)


def headline(page):
    return page.find_element(By.TAG_NAME, "h1").text


def value(page, name):
    return page.execute_script("const found = document.getElementById(arguments[0]); return found.value ?? found.textContent", name)


def kron(*arguments, stdin=None):
    return subprocess.run([KRON, *arguments], check=True, capture_output=True, text=True, input=stdin, cwd=ROOT).stdout


def html_of(*arguments, stdin=None):
    """The headline and the data of the command's page."""
    text = kron("forecast", *arguments, *RANGE, "-o", "html", stdin=stdin)
    title = re.search(r"<title>(.*?)</title>", text).group(1)
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', text)
    return title, json.loads(data.group(1)) if data else None


def examples():
    text = PAGE.read_text()
    found = re.search(r'<script type="application/json" id="examples">(.*?)</script>', text, re.S).group(1)
    return {one["path"]: one["text"] for one in json.loads(found)}


@pytest.mark.parametrize("path", examples())
def test_numbers_are_those_of_the_command(page, path):
    assert examples()[path] == (ROOT / "examples" / path).read_text()
    choose(page, "window", "5")
    page.execute_script("document.getElementById('example').value = arguments[0]", path)
    page.execute_script("document.getElementById('example').dispatchEvent(new Event('change'))")
    settled(page)
    if not page.execute_script("return document.querySelector('[name=mode]').disabled"):
        mode(page, "kron")
    # Kron starts placed schedules as they are declared.
    more = ["--declared"] if path == "place/values.yaml" else []
    title, data = html_of(f"examples/{path}", "--window", "1h", *more)
    assert headline(page) == title.replace(" by --window 1h", "")
    assert page.execute_script("return currentData()") == data
    # Without a window, the picture is that of the file.
    choose(page, "window", "0")
    title, data = html_of(f"examples/{path}", *more)
    assert headline(page) == title
    assert page.execute_script("return currentData()") == data


def test_a_crontab_is_cured_as_the_command_does_it(page):
    text = examples()["herd.crontab"]
    assert headline(page) == "Fullest minute, Mon 2 March: 36 starts as declared, 3 as placed (12 times fewer)"
    # The page begins names with the name of the file, too.
    placed = kron("place", "--adopt", "--window", "1h", "--prefix", "my/herd", "-", stdin=text)
    cured = value(page, "cure")
    assert cured == placed
    title, data = html_of("-", stdin=cured)
    assert headline(page) == title
    assert page.execute_script("return currentData()")["sides"] == data["sides"]
    # Other lines stay as they are.
    kept = [line for line in cured.splitlines() if not line.startswith("# kron:")]
    assert [line.split()[5:] for line in kept[1:]] == [line.split()[5:] for line in text.splitlines()[1:]]
    assert "37 schedules with a time of their own, at most 1h later, 1 schedule left alone." in page.find_element(By.ID, "changes").text
    assert "kron place --adopt --window 1h --prefix my --tz UTC -i herd.crontab" in page.find_element(By.ID, "terminal").get_property("textContent")


def test_salts_keep_starts_apart(page):
    page.find_element(By.ID, "apart").click()
    settled(page)
    assert "36 starts as declared, 1 as placed" in headline(page)
    assert "@seed(fixed,salt=" in value(page, "cure")
    assert html_of("-", stdin=value(page, "cure"))[0] == headline(page)
    mode(page, "kron")
    assert "36 starts as written, 3 as spread" in headline(page)
    assert html_of("-", stdin=value(page, "cure"))[0] == headline(page)
    page.find_element(By.ID, "apart").click()
    settled(page)


def test_one_schedule_is_enough(page):
    put(page, "", "0 0 * * * @tz(Europe/Paris) @win(after,3h) name=prod/db-backup")
    assert headline(page) == "One start, Mon 2 March 00:09"
    rows = [row.text for row in page.find_elements(By.CSS_SELECTOR, "#coming tbody tr")]
    assert rows[0] == "2026-03-02 00:09:23 UTC 2026-03-01 23:00:00 UTC"
    assert page.find_element(By.CSS_SELECTOR, "#strip svg title").get_attribute("textContent") != ""
    # Without a window and a name, it is placed, too.
    put(page, "", "0 4 * * 1")
    cured = value(page, "cure")
    assert cured == kron("place", "--adopt", "--window", "1h", "--prefix", "my", "-", stdin="0 4 * * 1 job\n")
    assert "@win(after,1h) name=my/job" in cured


def test_what_is_wrong_is_said_with_its_line(page):
    put(page, "jobs.kron", "@daily name=a\n61 * * * * name=b\n0 */7 * * * name=c\n")
    problems = [item.text for item in page.find_elements(By.CSS_SELECTOR, "#problems li")]
    assert problems[0].startswith("error: line 2 schedule.minute: `61`"), problems
    assert any(problem.startswith("warning: line 3 c: ") for problem in problems), problems
    page.find_element(By.CSS_SELECTOR, "#problems button").click()
    selected = "const t = document.getElementById('text'); return t.value.slice(t.selectionStart, t.selectionEnd)"
    assert page.execute_script(selected) == "61 * * * * name=b"
    put(page, "", "no schedule at all")
    assert "a cron expression has five fields" in page.find_element(By.ID, "status").text
    assert not page.find_element(By.ID, "result").is_displayed()
    put(page, "", "# a comment alone\n")
    assert page.find_element(By.ID, "status").text == "There is no schedule in this text."
    choose(page, "zone", "Europe/Pariss")
    put(page, "", "@daily name=a")
    assert "Europe/Pariss" in page.find_element(By.ID, "status").text
    assert "error" in page.find_element(By.ID, "status").get_attribute("class")


def test_an_error_leaves_nothing_of_another_text(page):
    choose(page, "zone", "Nowhere")
    assert value(page, "cure") == ""
    assert page.title == "Kron playground"
    assert page.find_elements(By.TAG_NAME, "h1") == []
    assert not page.find_element(By.ID, "result").is_displayed()
    choose(page, "zone", "UTC")
    assert headline(page).startswith("Fullest minute")
    assert value(page, "cure") != ""


def test_a_refused_declaration_changes_nothing(page):
    text = "# kron: 0 0 * * * @win(after,1h name=x\n0 0 * * * /a\n0 0 * * * /b\n"
    put(page, "crontab", text)
    assert value(page, "cure") == text
    assert page.find_element(By.ID, "changes").text.startswith("Nothing is placed")


def test_many_lines_are_cured(page):
    text = "".join(f"0 0 * * * /opt/jobs/do-{i}\n" for i in range(8000))
    put(page, "crontab", text)
    assert value(page, "cure").count("# kron: ") == 8000
    lines = 20 * "  # a line\n"
    objects = [f"apiVersion: batch/v1\nkind: CronJob\nmetadata: {{name: j{i}}}\nspec:\n  schedule: 0 0 * * *\n{lines}" for i in range(900)]
    put(page, "jobs.yaml", "---\n".join(objects))
    assert "900 starts as declared" in headline(page)


def test_a_cured_crontab_goes_on_in_kron(page):
    put(page, "crontab", "# kron: 0 0 * * * @win(after,1h) name=my/a\n52 0 * * * /a\n")
    mode(page, "kron")
    cured = value(page, "cure")
    assert cured.startswith("0 0 * * * ") and "@win(after,1h0m0s)" in cured and "name=my/a" in cured
    assert headline(page).startswith("One start, Mon 2 March 00:")


CRONTAB = "".join(f"0 0 * * * /opt/{name} --key hunter2\n" for name in "abc") + "30 5 * * 1 /opt/d\n"
DECLARED = "# kron: 0 0 * * * @win(after,1h) name=my/a\n52 0 * * * /opt/a hunter2\n0 3 * * * /opt/b\n"
SYSTEM = "SHELL=/bin/sh\n0 0 * * * root /opt/a hunter2\n0 0 * * * root /opt/b\n"
TIMER = "[Unit]\nDescription=hunter2\n[Timer]\nOnCalendar=Mon..Fri 01:00 Europe/Paris\n"
WORKFLOW = "on:\n  schedule:\n    - cron: '0 0 * * *'\n    - cron: '0 2 * * 1'\njobs:\n  a:\n    runs-on: x\n    steps:\n    - run: curl hunter2\n"
TEMPLATE = "{spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: hunter2}]}}}}"


def objects(kind, names, more=""):
    """Objects of Kubernetes, without a namespace where a name has none."""
    texts = []
    for name in names:
        namespace, _, name = name.rpartition("/")
        metadata = f"  name: {name}\n" + (f"  namespace: {namespace}\n" if namespace else "")
        version = "batch/v1" if kind == "CronJob" else "kron.io/v1alpha1"
        texts.append(f"apiVersion: {version}\nkind: {kind}\nmetadata:\n{metadata}spec:\n  schedule: 0 0 * * *\n{more}  jobTemplate: {TEMPLATE}\n")
    return "---\n".join(texts)


SECRETS = """cron:
  db:
    schedule: 0 0 * * *
    enabled: true
    algorithm: hunter2
    policy:
      auth:
        token: ghp_hunter2
        list:
        - hunter2
    params: {password: hunter2, url: "a.b/c"}
    window:
      duration: hunter2
    env:
      NAME: hunter2
  web:
    schedule: 0 0 * * 1
"""

TEXTS = {
    "crontab": ("crontab", CRONTAB),
    "pasted crontab": ("", CRONTAB),
    "declared": ("crontab", DECLARED),
    "pasted and declared": ("", DECLARED),
    "system": ("cron.d/web", SYSTEM),
    "pasted system": ("", SYSTEM),
    "timer": ("backup.timer", TIMER),
    "pasted timer": ("", TIMER),
    "workflow": (".github/workflows/x.yml", WORKFLOW),
    "values": ("values.yaml", (ROOT / "examples/adopt/values.yaml").read_text()),
    "pasted values": ("", (ROOT / "examples/adopt/values.yaml").read_text()),
    "values with secrets": ("values.yaml", SECRETS),
    "comments": ("values.yaml", "jobs:\n  a:\n    name: a # hunter2\n    schedule: \"0 3 * * *\" # was: curl -u u:hunter2 https://x\n"),
    "cronjobs": ("cron.yaml", objects("CronJob", ["data/a", "data/b"])),
    "cronjobs without a namespace": ("cron.yaml", objects("CronJob", ["a", "b"])),
    "suspended": ("cron.yaml", objects("CronJob", ["data/a"], "  suspend: true\n") + "---\n" + objects("CronJob", ["data/b"])),
    "kronjobs": ("kron.yaml", objects("KronJob", ["data/a", "data/b"])),
    "kronjobs with windows": ("kron.yaml", objects("KronJob", ["data/a", "data/b"], "  window: {duration: 20m}\n")),
    "job file": ("jobs.kron", "0 0 * * * name=a command=hunter2\n0 0 * * * @win(after,2h) name=b\n"),
    "one": ("", "0 4 * * 1 @win(after,2h)"),
    "bare": ("", "0 0 * * *"),
    "quoted": ("it's a crontab", CRONTAB),
    "dash": ("-crontab", CRONTAB),
    "many words": ("a b c d e", CRONTAB),
}


def run_lines(page, text, folder):
    """The page of the command after the lines for a terminal, in a folder that has the file of the page. Gives its headline and data."""
    lines = page.find_element(By.ID, "terminal").get_property("textContent").splitlines()
    path = value(page, "path")
    # What is pasted is saved under the name that the line has.
    pasted = re.search(r" - < (\S+)", lines[0])
    saved = path or (pasted.group(1) if pasted else "job.timer")
    (folder / saved).parent.mkdir(parents=True, exist_ok=True)
    (folder / saved).write_text(text)
    if not any("--save" in line or "--window" in line for line in lines):
        (folder / "jobs.kron").write_text(value(page, "cure"))
    # In a repository, the folders of a path begin names, too.
    subprocess.run(["git", "init", "--quiet"], check=True, cwd=folder)
    script = "\n".join([*lines[:-1], f"{lines[-1]} -o html"])
    path = f"{pathlib.Path(KRON).parent}:{os.environ['PATH']}"
    ran = subprocess.run(["sh", "-ec", script], capture_output=True, text=True, cwd=folder, env={**os.environ, "PATH": path})
    assert ran.returncode == 0, (lines, ran.stderr)
    html = ran.stdout
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', html)
    return re.search(r"<title>(.*?)</title>", html).group(1), json.loads(data.group(1)) if data else None


@pytest.mark.parametrize("keeper", ["plain", "kron"])
@pytest.mark.parametrize("name", TEXTS)
def test_lines_of_a_terminal_give_the_same(page, name, keeper, tmp_path):
    path, text = TEXTS[name]
    # The command reads the real clock.
    opened(page, "")
    put(page, path, text)
    if not page.execute_script("return document.querySelector('[name=mode]').disabled"):
        mode(page, keeper)
    for number, settings in enumerate([{}, {"window": "0"}, {"zone": "Europe/Paris", "days": "7", "prefix": "web it's"}, {"apart": True}]):
        for setting, wanted in {"window": "5", "zone": "UTC", "days": "1", "prefix": "my", **settings}.items():
            if setting == "apart":
                page.find_element(By.ID, "apart").click()
                settled(page)
            else:
                choose(page, setting, wanted)
        folder = tmp_path / str(number)
        folder.mkdir()
        title, data = run_lines(page, text, folder)
        assert headline(page) == title.replace(" by --window 1h", ""), settings
        assert page.execute_script("return currentData()") == data, settings


def test_lines_of_a_terminal_are_quoted(page):
    page.execute_script("document.getElementById('prefix').value = '$(touch x)'")
    put(page, "-crontab", "0 0 * * * /a\n")
    lines = page.find_element(By.ID, "terminal").get_property("textContent").splitlines()
    assert lines == [
        "kron place --adopt --window 1h --prefix '$(touch x)' --tz UTC -i ./-crontab",
        "kron forecast --per 1m --tz UTC ./-crontab",
    ]
    # One schedule alone needs no file.
    put(page, "", "0 4 * * 1 @win(after,2h)")
    assert page.find_element(By.ID, "terminal").get_property("textContent") == (
        "kron forecast --per 1m --window 1h --tz UTC '0 4 * * 1 @win(after,2h)' --name '$(touch x)/job'"
    )


@pytest.mark.parametrize("keeper", ["plain", "kron"])
@pytest.mark.parametrize("name", TEXTS)
def test_a_link_shows_the_same_without_secrets(page, name, keeper):
    path, text = TEXTS[name]
    put(page, path, text)
    if not page.execute_script("return document.querySelector('[name=mode]').disabled"):
        mode(page, keeper)
    rows = lambda: [row.text for row in page.find_elements(By.CSS_SELECTOR, "#coming tbody tr")]
    before = (headline(page), page.execute_script("return currentData()"), rows())
    fragment = link(page)
    wait(page, "document.getElementById('status').textContent.startsWith('The link is')", "nothing is said")
    said = page.find_element(By.ID, "status").text
    opened(page, f"{fragment}&now={NOW}")
    assert "hunter2" not in value(page, "text") + fragment
    after = (headline(page), page.execute_script("return currentData()"), rows())
    assert said in ("The link is copied.", "The link is in the address bar.")
    assert after == before
    assert page.execute_script("return document.querySelector('[name=mode]:checked').value") in (keeper, "kron")


def test_a_link_has_no_folders_and_says_what_it_shows(page):
    put(page, "/home/ann/hunter2/crontab", CRONTAB)
    assert "hunter2" not in link(page)
    # Nobody can tell what such keys are.
    put(page, "values.yaml", "jobs:\n  'curl -u a:hunter2':\n    schedule: 0 0 * * *\n")
    page.execute_script("history.replaceState(null, '', '#')")
    page.execute_script("document.getElementById('copy-link').click()")
    wait(page, "document.getElementById('status').textContent.startsWith('No link without commands')", "nothing is said")
    assert page.execute_script("return location.hash") in ("", "#")


def test_the_coming_starts_are_those_of_the_job(page):
    # The first one is not whole, so it is no job; it is placed all the same.
    parts = [
        "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: a, namespace: data}\nspec:\n  schedule: 0 0 * * *\n"
        "  jobTemplate: {spec: {template: {spec: {containers: [{name: c, image: i}]}}}}\n",
        objects("CronJob", ["data/b"]),
    ]
    put(page, "cron.yaml", "---\n".join(parts))
    assert page.find_element(By.ID, "starts-title").text == "Next starts of data/b"
    shown = page.find_element(By.CSS_SELECTOR, "#coming tbody button").text
    cured = value(page, "cure")
    minute, hour = re.findall(r"\n  schedule: (\d+) (\d+)", cured)[1]
    assert shown == f"2026-03-02 {int(hour):02}:{int(minute):02}:00 UTC"


def test_names_of_jobs_are_text(page):
    hostile = "</script><img/src=x/onerror=document.title='taken'>"
    put(page, "jobs.kron", f"0 0 * * * @win(after,1h) name={hostile}\n0 0 * * * name=b\n")
    assert page.execute_script("return document.querySelectorAll('main img').length") == 0
    assert hostile in page.find_element(By.ID, "picture").get_property("textContent")
    assert page.title != "taken"


def link(page, whole=False):
    if page.find_element(By.ID, "with-commands").is_selected() != whole:
        page.find_element(By.ID, "with-commands").click()
    page.execute_script("history.replaceState(null, '', '#')")
    page.execute_script("document.getElementById('copy-link').click()")
    wait(page, "location.hash.length > 1", "no link")
    return page.execute_script("return location.hash.slice(1)")


def test_links(page):
    put(page, "", "0 0 * * * @win(after,3h) name=prod/db_backup")
    choose(page, "window", "7")
    fragment = link(page)
    assert fragment == "0_0_*_*_*_@win(after,3h)_name=prod/db%255Fbackup&w=7"
    opened(page, fragment)
    assert value(page, "text") == "0 0 * * * @win(after,3h) name=prod/db_backup"
    assert value(page, "window") == "7"
    # Commands stay at home, unless their owner wants them in the link.
    put(page, "crontab", "0 1 * * * PASSWORD=secret /usr/bin/backup\n0 2 * * * /usr/bin/report\n")
    opened(page, link(page))
    assert "secret" not in value(page, "text")
    assert (value(page, "path"), value(page, "text")) == ("crontab", "0 1 * * * backup\n0 2 * * * report\n")
    put(page, "crontab", "0 1 * * * PASSWORD=secret /usr/bin/backup\n0 2 * * * /usr/bin/report\n")
    opened(page, link(page, whole=True))
    assert value(page, "text").startswith("0 1 * * * PASSWORD=secret /usr/bin/backup\n")
    # Nor does a crontab of one line.
    for line in ["0 1 * * * curl -u user:hunter2 https://x.y/z", "@daily /usr/bin/x hunter2", "0 1 * * * root mysqldump -phunter2 db"]:
        put(page, "", line)
        assert "hunter2" not in link(page)
        opened(page, link(page))
        assert "hunter2" not in value(page, "text")
    # A readable link has no commands either.
    put(page, "", "0 0 * * * name=a command=/usr/bin/backup env.TOKEN=secret")
    assert link(page).startswith("z=")
    opened(page, link(page))
    assert "secret" not in value(page, "text")
    # What a small link can become is limited.
    bomb = page.execute_async_script(
        """const done = arguments[0];
        const stream = new Blob([new Uint8Array(50_000_000)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
        new Response(stream).arrayBuffer().then((buffer) => {
            const bytes = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join('');
            done(btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''));
        });"""
    )
    opened(page, f"z={bomb}")
    assert page.find_element(By.ID, "status").text.startswith("This link is broken")
    # Another link in the same tab begins with the defaults.
    page.execute_script("location.hash = '#0_1_*_*_*_@win(after,1h)_name=a&w=7&tz=Europe/Paris'")
    wait(page, "document.getElementById('window').value === '7'", "settings")
    page.execute_script("location.hash = '#0_2_*_*_*_@win(after,1h)_name=a'")
    wait(page, "document.getElementById('window').value === '5'", "defaults")
    assert value(page, "zone") == "UTC"
    opened(page, "z=no-link")
    assert page.find_element(By.ID, "status").text.startswith("This link is broken")


def test_nothing_leaves_the_page(page):
    put(page, "crontab", "0 1 * * * /usr/bin/backup\n")
    asked = [json.loads(entry["message"])["message"] for entry in page.get_log("performance")]
    urls = {one["params"]["request"]["url"] for one in asked if one["method"] == "Network.requestWillBeSent"}
    assert {url.split(":")[0] for url in urls} <= {"file", "blob", "data"}, urls
    refused = page.execute_async_script(
        "const done = arguments[0]; fetch('https://example.com').then(() => done('sent'), (error) => done(error.name))"
    )
    assert refused == "TypeError"
    errors = [entry for entry in page.get_log("browser") if entry["level"] == "SEVERE"]
    assert all("example.com" in error["message"] for error in errors), errors
    assert errors


@pytest.mark.parametrize("width", [1200, 400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_it(browser, width, scheme):
    page = opened(browser, f"&now={NOW}", width)
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
    package = importlib.util.find_spec("axe_playwright_python").submodule_search_locations[0]
    page.execute_script((pathlib.Path(package) / "axe.min.js").read_text())
    found = page.execute_async_script("axe.run().then(arguments[0])")
    assert [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found["violations"]] == []
    assert page.execute_script("return document.documentElement.scrollWidth <= window.innerWidth")


def test_the_slider_is_moved_by_keys(page):
    slider = page.find_element(By.ID, "window")
    before = headline(page)
    slider.send_keys(Keys.ARROW_RIGHT)
    settled(page)
    assert page.find_element(By.ID, "length").text == "2h"
    assert headline(page) != before


def longest_task(page):
    """The longest task of the page since `watch_tasks`, in milliseconds."""
    # Entries come in a task of their own.
    page.execute_async_script("setTimeout(arguments[0], 100)")
    return page.execute_script("return Math.max(0, ...window.tasks)")


def watch_tasks(page):
    page.execute_script(
        """window.tasks = [];
        new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' });"""
    )


@pytest.mark.parametrize("jobs, schedule", [(521, "*/15 * * * *"), (2084, "{} * * * *")])
def test_many_starts(page, jobs, schedule):
    """50,000 starts: the page stays alive while the worker counts."""
    lines = "".join(f"{schedule.format(i % 60)} @win(after,10m) name=team/job-{i}\n" for i in range(jobs))
    watch_tasks(page)
    put(page, "jobs.kron", lines)
    amount = page.find_element(By.CSS_SELECTOR, "#picture .dim").text
    assert amount.startswith(f"{jobs:,} jobs, 50,"), amount
    assert page.execute_script("return document.querySelectorAll('#jobs li').length") == jobs
    print(f"longest task: {longest_task(page):.0f} ms")


def test_a_newer_question_ends_a_long_answer(page):
    """Of a worker whose answer to the first question takes for ever."""
    page.execute_script(
        """const worker = `onmessage = ({ data }) => {
            if (data.module) postMessage({ ready: {}, compiled: 'compiled' });
            else if (data.compiled) postMessage({ ready: {} });
            else if (data.question) postMessage({ number: data.number, reply: data.question.svg });
            else {
                postMessage({ begun: data.id });
                while (data.id === 1);
                postMessage({ id: data.id, done: true });
            }
        }`;
        window.messages = [];
        const answers = new Answers(worker, 'module', (said) => {
            window.messages.push(said);
            if (said.ready && said.compiled) answers.ask({ id: 1 });
        });
        window.tested = answers;"""
    )
    wait(page, "window.messages.length > 0", "the worker does not start")
    page.execute_script("window.tested.ask({ id: 2 }); window.tested.reply({ svg: 'reply' }).then((reply) => window.messages.push(reply))")
    wait(page, "window.messages.includes('reply')", "the question waits")
    said = page.execute_script("return window.messages")
    assert said == [{"ready": {}, "compiled": "compiled"}, {"ready": {}}, {"id": 2, "done": True}, "reply"]


def test_a_page_that_cannot_start_says_so(page):
    page.execute_script(
        """window.messages = [];
        new Answers(document.getElementById('worker').textContent, btoa('no module'), (said) => window.messages.push(said));"""
    )
    wait(page, "window.messages.length > 0", "nothing is said")
    assert page.execute_script("return window.messages[0].error").startswith("the page does not start: ")


def test_the_fullest_minute_names_jobs(page):
    assert headline(page).startswith("Fullest minute, Mon 2 March: 36 starts as declared")
    shown = page.find_element(By.ID, "picture").text
    assert re.search(r"28 × 0 0 \* \* \* my/herd/orders-\w+, my/herd/users-\w+, my/herd/billing, 25 more", shown), shown


def test_a_placed_start_has_its_strip(page):
    rows = page.find_elements(By.CSS_SELECTOR, "#coming tbody tr")
    assert len(rows) == 5
    title = lambda: page.find_element(By.CSS_SELECTOR, "#strip svg title").get_attribute("textContent")
    assert title().startswith("my/herd/orders-41d9c8fe is placed at Mon 2 March 2026, 00:")
    page.execute_script("arguments[0].focus()", rows[1].find_element(By.TAG_NAME, "button"))
    assert title().startswith("my/herd/orders-41d9c8fe is placed at Tue 3 March 2026, 00:")
    # Beside each start stands the time of its own period, also where it lies before the present.
    assert all(row.text.endswith(" 00:00:00 UTC") and row.text[:10] == row.text[24:34] for row in rows), [row.text for row in rows]


def test_manifests_keep_their_pods(page):
    manifest = "".join(
        f"""---
apiVersion: kron.io/v1alpha1
kind: KronJob
metadata: {{name: {name}, namespace: prod}}
spec:
  schedule: '0 0 * * *'  # at night
  window: {{duration: 20m}}
  jobTemplate: {{spec: {{template: {{spec: {{restartPolicy: Never, containers: [{{name: c, image: i}}]}}}}}}}}
"""
        for name in "abcdefghi"
    )
    put(page, "jobs.yaml", manifest)
    assert value(page, "cure") == manifest
    assert page.find_element(By.ID, "changes").text.startswith("These are jobs of Kron already")
    page.find_element(By.ID, "apart").click()
    settled(page)
    salted = value(page, "cure")
    assert salted.count("  seed:\n") == 1
    kept = salted.splitlines()
    seed = kept.index("  seed:")
    assert kept[:seed] + kept[seed + 2 :] == manifest.splitlines(), kept[seed : seed + 2]
    title, data = html_of("-", stdin=salted)
    assert headline(page) == title
    assert page.execute_script("return currentData()") == data


def test_links_of_other_systems_stay_in_their_mode(page):
    opened(page, f"&now={NOW}&days=1")
    for path, text in {
        "values.yaml": examples()["adopt/values.yaml"],
        "cron.yaml": "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: a, namespace: data}\nspec: {schedule: '0 0 * * *', timeZone: Asia/Tokyo}\n",
    }.items():
        put(page, path, text)
        before = headline(page)
        opened(page, f"{link(page)}&now={NOW}")
        assert headline(page) == before
        assert page.execute_script("return document.querySelector('[name=mode]:checked').value") == "plain"
        assert not page.execute_script("return document.querySelector('[name=mode]').disabled")


def test_every_zone_can_be_chosen(page):
    zones = page.execute_script("return [...document.querySelectorAll('#zones option')].map(({ value }) => value)")
    assert len(zones) > 400 and len(set(zones)) == len(zones) and {"UTC", "Europe/Paris", "Asia/Tokyo"} <= set(zones)


def test_helps_name_what_the_page_has(page):
    choose(page, "prefix", "{host}")
    problems = [item.text for item in page.find_elements(By.CSS_SELECTOR, "#problems li")]
    assert any("write the name of the host into the box `Names begin with`" in problem for problem in problems), problems
    assert not any("--" in problem for problem in problems), problems
    assert len(problems) == len(set(problems))
    choose(page, "prefix", "my")
    for path, text in {
        "crontab": "# kron: 0 0 * * * @win(after,1h) name=my/b\n51 0 * * * /b\n",
        "values.yaml": "a:\n  cron: 0 0 * * *\nb:\n  every: 0 1 * * *\nc:\n  schedule: 0 2 * * *\n",
        "jobs.kron": "@daily @avoid(calendar=holidays) name=a\n@daily name=b\n",
        "backup": "0 0 * * * root /usr/bin/backup\n",
    }.items():
        put(page, path, text)
        problems = [item.text for item in page.find_elements(By.CSS_SELECTOR, "#problems li")]
        assert problems, path
        assert not any("--" in problem for problem in problems), problems
        assert len(problems) == len(set(problems)), problems


def test_a_finding_is_shown_once(page):
    put(page, "crontab", "61 0 * * * /a\n@reboot /b\n0 0 * * * /c\n")
    mode(page, "kron")
    problems = [item.text for item in page.find_elements(By.CSS_SELECTOR, "#problems li") if " line " in item.text]
    assert [problem.split(" ")[2] for problem in problems] == ["1", "2"], problems
