"""The page as a browser shows it: by keyboard, on a phone, in the dark, in two tabs, and with the server away."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.browsers import BROWSERS, find_browser
from tests.serve.made import CGP

pytest.importorskip("selenium")

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.chrome.service import Service as Driver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

ROOT = Path(__file__).parents[2]
ARGUMENTS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --disable-dev-shm-usage --window-size=1200,1000"
).split()
SECONDS = 30


class Server:
    """The page's server in a process of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = 0
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "tests.serve.serving", str(self._port), str(self._folder)]
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, cwd=ROOT)
        assert self._process.stdout is not None
        self.address = self._process.stdout.readline().strip()
        self._port = urlsplit(self.address).port or 0

    def end(self, number: signal.Signals) -> int:
        self._process.send_signal(number)
        return self._process.wait(SECONDS)


class Page:
    """A browser with the page in it."""

    def __init__(self, driver: webdriver.Chrome, address: str) -> None:
        self.driver = driver
        self.address = address
        driver.get(address)
        self.wait(lambda: self.find("palette").find_elements(By.TAG_NAME, "button"))

    def find(self, name: str) -> Any:
        return self.driver.find_element(By.ID, name)

    def all(self, selector: str) -> list[Any]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def click(self, selector: str, which: int) -> None:
        """Click the element in this place of all that there are, also while the page makes them anew."""
        self.wait(lambda: self.all(selector)[which].click() is None)

    def text(self, name: str) -> str:
        return str(self.driver.execute_script("return document.getElementById(arguments[0]).innerText", name))

    def wait(self, until: Callable[[], Any]) -> Any:
        """What comes of ``until`` when that is something; the page may change under its hands."""
        changing = [StaleElementReferenceException]
        return WebDriverWait(self.driver, SECONDS, 0.05, changing).until(lambda driver: until())

    def keys(self, *keys: str) -> None:
        ActionChains(self.driver).send_keys(*keys).perform()

    def board(self) -> dict[int, str]:
        """The tiles on the board that is to be set, by square."""
        places = (
            "return [...document.querySelectorAll('#board .letter')]"
            ".map(text => [text.getAttribute('x'), text.getAttribute('y'), text.textContent])"
        )
        margin, cell = 22, 32
        tiles = self.driver.execute_script(places)
        return {(int(y) - margin) // cell * 15 + (int(x) - margin) // cell: text for x, y, text in tiles}

    def plays(self) -> list[str]:
        """The moves of the table."""
        rows = "return [...document.querySelectorAll('#plays tr[data-key]')].map(row => row.dataset.key)"
        return list(self.driver.execute_script(rows))

    def read(self, text: str) -> None:
        self.driver.execute_script("document.getElementById('text').value = arguments[0]", text)
        self.find("read").click()
        self.wait(lambda: self.find("rack").get_attribute("value") or self.find("fault").is_displayed())

    def solve(self, name: str) -> None:
        """Ask for the first position, by this name."""
        self.read(CGP)
        self.driver.execute_script("document.getElementById('name').value = arguments[0]", name)
        self.find("rack").send_keys(Keys.ENTER)
        self.wait(lambda: self.text("name-of-run") == name)

    def is_wide(self) -> bool:
        return bool(self.driver.execute_script("return document.documentElement.scrollWidth > innerWidth"))

    def errors(self) -> list[str]:
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]


@pytest.fixture(scope="module")
def driver() -> Iterator[webdriver.Chrome]:
    browser, chromedriver = find_browser(), shutil.which("chromedriver")
    if browser is None or chromedriver is None:
        pytest.skip(f"no browser: chromedriver and one of {', '.join(BROWSERS)} are needed")
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for argument in ARGUMENTS:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, Driver(chromedriver))
    try:
        yield driver
    finally:
        driver.quit()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("served") / "runs")
    yield server
    assert server.end(signal.SIGINT) == 0


@pytest.fixture
def page(driver: webdriver.Chrome, server: Server) -> Page:
    driver.get_log("browser")  # of the test before
    return Page(driver, server.address)


def test_a_board_set_by_keyboard(page: Page) -> None:
    page.all("#board svg")[0].send_keys("qi")
    page.keys(Keys.ARROW_LEFT, " ")
    ActionChains(page.driver).key_down(Keys.SHIFT).send_keys("S").key_up(Keys.SHIFT).perform()
    assert page.board() == {112: "Q", 113: "s"}, "down from 8I, and a blank"
    page.keys("o", Keys.ARROW_UP, Keys.BACKSPACE)
    assert page.board() == {112: "Q", 113: "s"}
    page.keys(Keys.ARROW_UP, Keys.DELETE, "i", "f")
    assert page.board() == {112: "Q", 113: "I", 128: "F"}
    assert page.text("square") == "10I: empty, down"
    assert "97 tiles unseen, 90 in the bag" in page.text("unseen")
    page.find("rack").send_keys("?aeinrs")
    assert "90 tiles unseen, 83 in the bag" in page.text("unseen")
    assert page.errors() == []


def test_a_solve_from_the_text_to_the_line(page: Page) -> None:
    page.solve("first")
    page.wait(lambda: page.text("state") == "complete")
    page.wait(lambda: page.text("draws-heading") == "13L ONYX: 7 won, 1 tied, 0 lost")
    assert page.plays() == ["13L ONYX", "N3 STEY", "pass"]
    assert [text.text for text in page.all("#shown .plies .letter")] == ["O", "N", "Y", "X"]
    assert [draw.text for draw in page.all("#grid .draw")] == ["[A] W", "[Y] D"]

    page.all("#plays tr[aria-current]")[0].send_keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    page.wait(lambda: [draw.text for draw in page.all("#grid .draw")] == ["[]Y L?"])
    page.keys(Keys.ARROW_UP, Keys.HOME)
    page.wait(lambda: len(page.all("#grid .draw")) == 2)
    page.keys(Keys.ENTER, Keys.ARROW_RIGHT, Keys.ENTER)
    page.wait(lambda: len(page.all("#line-steps .ply")) == 3)
    assert page.text("line-heading") == "13L ONYX on [Y]"
    assert page.text("line-said") == "13L ONYX, then 2A CAI.UE, then 1F TYES."
    assert "us 412, rack empty" in page.text("racks")
    page.all("#line-steps .ply")[2].send_keys(Keys.ARROW_LEFT)
    assert page.text("line-said") == "13L ONYX, then 2A CAI.UE."
    assert "them 416, rack AS" in page.text("racks")

    Select(page.find("beside")).select_by_visible_text("N3 STEY")
    page.wait(lambda: page.all("#comparison tbody tr"))
    assert page.text("comparison").split("\n")[0] == "0 of 8 draws come out the same, 6 are not settled for both."
    assert [cell.text for cell in page.all("#comparison td")] == ["[A] ×2", "W", "L after O5 SAUCY"]
    assert page.errors() == []


def test_a_line_that_takes_too_long(page: Page) -> None:
    page.solve("first")
    page.wait(lambda: page.text("draws-heading") == "13L ONYX: 7 won, 1 tied, 0 lost")
    page.click("#plays tr[data-key=pass]", 0)
    page.wait(lambda: [draw.text for draw in page.all("#grid .draw")] == ["[]Y L?"])
    page.click("#grid .draw", 0)
    page.wait(lambda: page.find("give-up").is_displayed())
    page.find("give-up").click()
    assert not page.find("line").is_displayed()
    page.click("#plays tr[data-key='13L ONYX']", 0)
    page.wait(lambda: len(page.all("#grid .draw")) == 2)
    page.click("#grid .draw", 1)
    page.wait(lambda: len(page.all("#line-steps .ply")) == 3)


def test_what_is_wrong_is_said_where_it_is(page: Page) -> None:
    page.read("15/15")
    assert "CGP" in page.text("fault")
    page.read(CGP)
    page.wait(lambda: not page.find("fault").is_displayed())
    page.find("time_limit").send_keys("soon", Keys.ENTER)
    page.wait(lambda: "expected seconds" in page.text("fault"))
    assert page.driver.switch_to.active_element.get_attribute("id") == "time_limit"
    assert page.find("time_limit").get_attribute("aria-invalid") == "true"


def test_on_a_phone_in_the_dark(page: Page) -> None:
    metrics = {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True}
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    dark = [{"name": "prefers-color-scheme", "value": "dark"}]
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": dark})
    try:
        assert not page.is_wide()
        page.solve("first")
        page.wait(lambda: page.text("state") == "complete")
        page.wait(lambda: page.text("draws-heading") == "13L ONYX: 7 won, 1 tied, 0 lost")
        page.click("#grid .draw", -1)
        page.wait(lambda: page.all("#line-steps .ply"))
        assert not page.is_wide()
        ground = page.driver.execute_script("return getComputedStyle(document.body).backgroundColor")
        assert max(map(int, ground.removeprefix("rgb(").removesuffix(")").split(","))) < 50
        board = page.all("#shown svg")[0].size
        assert board["width"] == board["height"] and 250 <= board["width"] <= 360
        assert page.errors() == []
    finally:
        page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_two_tabs(page: Page) -> None:
    driver = page.driver
    first = driver.current_window_handle
    driver.switch_to.new_window("tab")
    try:
        other = Page(driver, page.address)
        assert "slow tabs" not in other.text("runs")
        driver.switch_to.window(first)
        page.solve("slow tabs")
        page.wait(lambda: page.text("progress") == "solving: 2 of 3 plays left.")
        page.wait(page.plays)
        assert page.text("state") == "open"
        driver.switch_to.window(driver.window_handles[-1])
        other.wait(lambda: driver.find_element(By.LINK_TEXT, "slow tabs").click() is None)
        other.wait(lambda: other.find("stop").is_displayed())
        other.find("stop").click()
        other.wait(lambda: other.text("progress") == "The run is stopped.")
        driver.switch_to.window(first)
        page.wait(lambda: page.text("progress") == "The run is stopped.")
        assert page.errors() == []
    finally:
        driver.switch_to.window(driver.window_handles[-1])
        driver.close()
        driver.switch_to.window(first)


def test_the_server_is_killed_and_comes_back(page: Page, server: Server) -> None:
    page.solve("slow")
    page.wait(lambda: page.text("progress") == "solving: 2 of 3 plays left.")
    page.wait(page.plays)
    page.click("#plays th button", 1)
    page.click("#plays tr[data-key=pass]", 0)
    server.end(signal.SIGKILL)
    page.wait(lambda: page.find("away").is_displayed())
    assert "does not answer" in page.text("away")
    server.start()
    assert server.address == page.address
    page.wait(lambda: not page.find("away").is_displayed())
    page.wait(lambda: page.text("progress") == "The run is stopped.")
    assert page.plays() == ["13L ONYX", "N3 STEY", "pass"]
    page.click("#further button", 0)
    page.wait(lambda: page.text("state") == "complete")
    page.wait(lambda: page.text("progress") == "The run is finished.")
    assert [row.get_attribute("data-key") for row in page.all("#plays tr[aria-current]")] == ["pass"]
    assert page.all("#plays th[aria-sort=ascending]")[0].text.startswith("Play")
