"""The list of packages for the wheel: `alehouse`, and the folders beside it that pyproject.toml maps below it."""

from setuptools import find_packages, setup

PARTS = ("agents", "benchmarks", "envs", "training")

inside = [f"alehouse.{name}" for name in find_packages("alehouse")]
beside = [f"alehouse.{part}{'.' if name else ''}{name}" for part in PARTS for name in ("", *find_packages(part))]
setup(packages=["alehouse", *inside, *beside])
