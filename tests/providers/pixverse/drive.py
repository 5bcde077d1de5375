"""
Drives PixVerse's own client, unmodified: [{"call", "arguments", "key"?}, …] on stdin, all at once, each in a client of its own, and on stdout
{"result": …} or {"error": {"kind", "code"}} of each. The fake's address is PIXVERSE_FAKE. Bodies of V6 go through its `post`: its own forms end at V5.
"""

import asyncio
import json
import os
import sys

from loguru import logger
from pixverse_mcp import PixverseClient, PixverseError

logger.remove()


async def told_by(call):
    key = call.get("key", os.environ["PIXVERSE_API_KEY"])
    async with PixverseClient(key, base_url=os.environ["PIXVERSE_FAKE"]) as client:
        try:
            result = await getattr(client, call["call"])(**call["arguments"])
        except PixverseError as error:
            return {"error": {"kind": type(error).__name__, "code": error.error_code}}
        return {"result": result if isinstance(result, dict) else result.model_dump(mode="json")}


async def main():
    print(json.dumps(await asyncio.gather(*[told_by(call) for call in json.load(sys.stdin)])))


asyncio.run(main())
