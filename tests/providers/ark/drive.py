"""
Drives Ark's own client, unmodified, a call a line: {"client": {…}, "method": "create", "arguments": {…}} on stdin, and on stdout
{"result": …} or {"error": {"kind", "status", "code", "param"}}. The fake's address is ARK_FAKE.
"""

import json
import os
import sys

from volcenginesdkarkruntime import Ark
from volcenginesdkarkruntime._exceptions import ArkAPIError


def answer_of(call):
    tasks = Ark(base_url=os.environ["ARK_FAKE"], **call["client"]).content_generation.tasks
    try:
        result = getattr(tasks, call["method"])(**call["arguments"])
    except ArkAPIError as error:
        status = getattr(error, "status_code", None)
        return {"error": {"kind": type(error).__name__, "status": status, "code": error.code, "param": error.param}}
    return {"result": result.model_dump(mode="json", exclude_unset=True)}


for line in sys.stdin:
    print(json.dumps(answer_of(json.loads(line))), flush=True)
