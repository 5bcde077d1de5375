"""
Drives Vidu's own MCP server, unmodified, without the protocol around it: [{"call", "arguments", "key"?}, …] on stdin, and on stdout what each tool
answered. The fake's address is VIDU_API_HOST.
"""

import json
import os
import sys

from vidu_mcp import server


def told_by(call):
    server.api_client.session.headers["Authorization"] = f"Token {call.get('key', os.environ['VIDU_API_KEY'])}"
    return getattr(server, call["call"])(**call["arguments"])


print(json.dumps([told_by(call) for call in json.load(sys.stdin)]))
