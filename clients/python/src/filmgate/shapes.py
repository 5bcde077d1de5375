"""Types of what is sent and answered, under the names of the API's reference.

`VideoGenerationRequest` is any request; `AlphaH3TextToVideo` and its like are those of one model and mode. They are
dicts at run time.
"""

from ._generated import *  # noqa: F403
