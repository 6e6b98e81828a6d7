"""HTML from the templates of this package. Whatever is put into them is escaped, unless it is Markup already."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup


def render(template: str, **values: object) -> Markup:
    """A template of pages/templates with these values. A value that it names and is not given is an error."""
    from markupsafe import Markup

    return Markup(_environment().get_template(template).render(**values))


def page(title: str, body: Markup, *, styles: Sequence[str] = (), scripts: Sequence[str] = ()) -> str:
    """A whole document that needs nothing else: its heading, the body, the shared style and script.

    styles, scripts: more of them, files of pages/templates such as ``report.js``
    """
    return str(render("page.html", title=title, body=body, styles=styles, scripts=scripts))


def asset(name: str) -> Markup:
    """The text of a style or script in pages/templates, to be included as it is."""
    from markupsafe import Markup

    return Markup((resources.files("pegray.pages") / "templates" / name).read_text(encoding="utf-8"))


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("pegray.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["asset"] = asset
    return environment
