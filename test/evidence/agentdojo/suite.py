"""Prints one suite of a clone of AgentDojo as JSON: suite.py CLONE banking|slack.

Its data, what users ask for, what attackers want, and the calls that its authors hold for either. Needs Python 3.10 and
PyYAML; what the clone imports to run models is left out.
"""

import importlib
import json
import re
import sys
import types
from pathlib import Path

import yaml

CLONE, NAME = Path(sys.argv[1]).resolve() / "src", sys.argv[2]
VERSIONS = ("v1", "v1_1", "v1_1_1", "v1_1_2", "v1_2", "v1_2_1")


def number(name):
    return int(re.sub(r"\D", "", name))


class Node(dict):
    """Data whose members are read by name or by key."""

    __getattr__ = dict.__getitem__


class Newest:
    """The newest form of a task, whichever version is asked for."""

    def __init__(self, task):
        self.task = task

    def __getitem__(self, _version):
        return self.task


class Suite:
    """Stands for the clone's TaskSuite: keeps the newest form of each task."""

    user, injection = {}, {}

    def __class_getitem__(cls, _environment):
        return cls

    def __init__(self, *_parts):
        pass

    @property
    def user_tasks(self):
        return {f"user_task_{number(name)}": task() for name, task in self.user.items()}

    @property
    def _user_tasks(self):
        return {task_id: Newest(task) for task_id, task in self.user_tasks.items()}

    def get_latest_user_task_by_id(self, task_id, _version):
        return self.user_tasks[task_id]

    def register_user_task(self, task):
        self.user[task.__name__] = task
        return task

    def register_injection_task(self, task):
        self.injection[task.__name__] = task
        return task

    def update_user_task(self, _version):
        return self.register_user_task

    def update_injection_task(self, _version, new=False):
        return self.register_injection_task


class Anything:
    """Stands for whatever a task does not need to say which calls are right."""

    def __init__(self, *_args, **members):
        self.__dict__.update(members)

    def __class_getitem__(cls, _item):
        return cls

    def __init_subclass__(cls, **_options):
        pass


class Stub(types.ModuleType):
    __all__ = ()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Suite if name == "TaskSuite" else Anything


def stub(name):
    sys.modules[name] = Stub(name)


def package(name):
    module = types.ModuleType(name)
    module.__path__ = [str(CLONE.joinpath(*name.split(".")))]
    sys.modules[name] = module


for name in ("functions_runtime", "task_suite.task_suite"):
    stub(f"agentdojo.{name}")
for name in ("banking_client", "slack", "web", "user_account", "file_reader", "types"):
    stub(f"agentdojo.default_suites.v1.tools.{name}")
for name in ("agentdojo", "agentdojo.task_suite", "agentdojo.default_suites"):
    package(name)
sys.modules["agentdojo.functions_runtime"].make_function = lambda tool: tool
for version in VERSIONS:
    folder = f"agentdojo.default_suites.{version}"
    package(folder)
    package(f"{folder}.tools")
    package(f"{folder}.{NAME}")
    for part in ("user_tasks", "injection_tasks"):
        if CLONE.joinpath(*f"{folder}.{NAME}.{part}".split(".")).with_suffix(".py").exists():
            importlib.import_module(f"{folder}.{NAME}.{part}")

data = CLONE / "agentdojo" / "data" / "suites" / NAME
text = (data / "environment.yaml").read_text()
vectors = yaml.safe_load((data / "injection_vectors.yaml").read_text())
usual = text
for vector, about in vectors.items():
    usual = usual.replace("{" + vector + "}", about["default"])
environment = json.loads(json.dumps(yaml.safe_load(usual)), object_hook=Node)


def to_calls(task):
    calls = task.ground_truth(environment)
    return [{"tool": call.function, "arguments": call.args} for call in calls]


def to_task(task_class, goal):
    task = task_class()
    start = getattr(task, "init_environment", lambda given: given)
    start(environment)
    return {"id": task_class.__name__, "goal": getattr(task, goal), "calls": to_calls(task)}


print(
    json.dumps(
        {
            "environment": yaml.safe_load(text),
            "vectors": {vector: about["default"] for vector, about in vectors.items()},
            "userTasks": [to_task(Suite.user[n], "PROMPT") for n in sorted(Suite.user, key=number)],
            "injectionTasks": [
                to_task(Suite.injection[n], "GOAL") for n in sorted(Suite.injection, key=number)
            ],
        }
    )
)
