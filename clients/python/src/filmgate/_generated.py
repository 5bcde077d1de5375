"""Generated from the OpenAPI document by `bun run clients generate`: change the API, not this file."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, TypedDict, Union


#: The size of a picture. Each model names those it takes.
Resolution = Literal[
    "768p",
    "2k",
    "480p",
    "720p",
    "1080p",
    "4k",
    "540p",
    "512p",
    "360p",
    "hd",
    "fhd",
]


#: Width to height of a picture. Each model names those it takes.
AspectRatio = Literal[
    "21:9",
    "16:9",
    "4:3",
    "1:1",
    "3:4",
    "9:16",
    "adaptive",
    "3:2",
    "2:3",
    "2:1",
]


class _VideoTask(TypedDict):
    id: str
    """Names the task. The id is opaque: at most 120 letters, digits, `-` and `_`."""
    status: TaskStatus
    model: str
    """The model that makes the video."""
    mode: Mode
    credits_used: int
    """The credits that were reserved. Net cost is credits_used minus credits_refunded."""
    credits_refunded: int
    """The credits that came back: all of them where the task failed, a part where less was delivered than ordered."""
    output: Union[VideoOutput, None]
    """The video; null until the task is completed."""
    error: Union[TaskError, None]
    """Why the task failed; null for every other status."""
    created_at: str
    """When the task was accepted."""
    updated_at: str
    """When anything about the task last changed."""


class VideoTask(_VideoTask, total=False):
    """One generation: what was asked, what became of it and what it cost."""
    billing_status: BillingStatus
    """What became of the credits. Missing until the reservation is known."""


class VideoOutput(TypedDict):
    """Where the finished video is."""
    video_url: str
    """An MP4 in managed storage, kept for 30 days. Not a private link: whoever holds it can fetch the video. Keep a
    copy of your own. Saved, it is named after the task.
    """


#: For programs. Every code is explained under Errors.
TaskErrorCode = Literal[
    "media_unreachable",
    "media_forbidden_address",
    "media_too_large",
    "media_type_unsupported",
    "media_dimensions",
    "media_frame_rate",
    "media_duration",
    "media_duration_mismatch",
    "media_corrupt",
    "prompt_rejected",
    "generation_unavailable",
    "cancelled",
    "generation_failed",
    "output_moderated",
    "output_unavailable",
]


class TaskError(TypedDict):
    """Why a task failed. The credits come back."""
    code: TaskErrorCode
    """For programs. Every code is explained under Errors."""
    message: str
    """For people. The words may change."""


class _TaskEvent(TypedDict):
    id: str
    """Which event of its task it is, counted from 1: what to send as Last-Event-ID."""
    type: TaskEventType
    at: str
    """When it happened."""


class TaskEvent(_TaskEvent, total=False):
    """A step of a task. Ignore types that you do not know: more may be added."""
    percent: int
    """running: how far the video is, where the provider tells it. Never less than before."""
    position: int
    """running: the place in the provider's queue, as the provider counts, where it tells it."""
    credits_used: int
    """queued, completed: the credits that were reserved."""
    credits_refunded: int
    """completed, refunded: the credits that came back."""
    video_url: str
    """completed: where the video is."""
    error: TaskError
    """failed: why."""


#: queued: credits are held. accepted: a provider makes the video. running: how far it is. copying: it is copied to
#: managed storage. in_review: whether there will be a video is not known yet. completed: it is there and paid.
#: failed: there is none. refunded: the credits are back.
TaskEventType = Literal[
    "queued",
    "accepted",
    "running",
    "copying",
    "in_review",
    "completed",
    "failed",
    "refunded",
]


class TaskEventList(TypedDict):
    """What happened to a task so far, oldest first."""
    object: Literal["list"]
    """Always `list`."""
    data: List[TaskEvent]
    """The events."""


class VideoTaskList(TypedDict):
    """A page of tasks, newest first."""
    object: Literal["list"]
    """Always `list`."""
    data: List[VideoTask]
    """The rows of this page."""
    has_more: bool
    """Whether there are further rows."""
    next_cursor: Union[str, None]
    """What to send as `cursor` for the next page; null on the last."""


#: processing: being made, or not yet known. completed: the video is in managed storage. failed: there is no video and
#: the credits come back.
TaskStatus = Literal[
    "processing",
    "completed",
    "failed",
]


#: reserved: held. settled: paid, the video was delivered; where it is less than ordered, credits_refunded has the
#: part that came back. refund_pending, refunded: on the way back, or back. review: whether the provider took the
#: generation is not known yet, and the credits stay held until it is.
BillingStatus = Literal[
    "reserved",
    "settled",
    "refunded",
    "refund_pending",
    "review",
]


#: text-to-video: from words alone. image-to-video: from a first frame, with some models also a last. media-to-video:
#: from reference images, videos and sound.
Mode = Literal[
    "text-to-video",
    "image-to-video",
    "media-to-video",
]


#: Its media type.
NewUploadType = Literal[
    "image/jpeg",
    "image/png",
    "image/webp",
    "video/mp4",
    "video/quicktime",
    "audio/mpeg",
    "audio/mp3",
    "audio/wav",
    "audio/x-wav",
    "audio/wave",
    "audio/vnd.wave",
]


class NewUpload(TypedDict):
    """A file that will be uploaded."""
    type: NewUploadType
    """Its media type."""
    bytes: int
    """Its exact length."""


class OpenedUpload(TypedDict):
    """Where to put a file, and the URL that requests name it by."""
    id: str
    """Names the upload."""
    put_url: str
    """Takes the file by PUT for 15 minutes, without an API key. Whoever holds it can upload: keep it to yourself."""
    put_headers: Dict[str, str]
    """Headers that the PUT needs exactly."""
    url: str
    """The input URL for requests of this account. Nothing else can fetch it."""
    expires_at: str
    """When it is deleted."""


#: waiting: the file has not arrived, or is not checked yet. accepted: it is a sound file of its kind. refused: no
#: request can use it, and issue says why.
UploadStatus = Literal[
    "waiting",
    "accepted",
    "refused",
]


class _Upload(TypedDict):
    id: str
    """Names the upload."""
    status: UploadStatus
    """waiting: the file has not arrived, or is not checked yet. accepted: it is a sound file of its kind. refused: no
    request can use it, and issue says why.
    """
    expires_at: str
    """When it is deleted."""


class Upload(_Upload, total=False):
    """What became of an upload."""
    issue: UploadIssue
    """Why it was refused."""


class UploadIssue(TypedDict):
    """What is wrong with a file."""
    code: str
    """For programs: a code of errors that begins with `media_`."""
    message: str
    """For people. The words may change."""


class CreditBalance(TypedDict):
    """What the API may spend."""
    available_credits: int
    """Paid credits that nothing holds."""
    balance_type: Literal["paid"]
    """Always `paid`: starter credits never fund the API."""


class ApiKey(TypedDict):
    """The key that asks."""
    key_id: str
    """Names the key; it stays when the key is rotated."""
    prefix: str
    """How the key begins. It is no secret."""
    name: str
    """What the key is for."""
    created_at: str
    """When the key was made."""
    expires_at: Union[str, None]
    """When the key ends; null for never."""
    limits: ApiKeyLimits
    spend: ApiKeySpend
    budgets: List[ApiKeyBudget]
    """The caps that its requests are held to: its own, then those of its account. Empty where there is none."""


class ApiKeyLimits(TypedDict):
    """What the key may do."""
    requests_per_minute: int
    """Requests in a minute."""
    unfinished_tasks: int
    """Unfinished tasks that its account may have."""
    models: Union[List[str], None]
    """The only models it may ask for; null for all. Another is 400 `invalid_request` with an issue of the rule
    `key_models`, in estimate and creation.
    """
    addresses: Union[List[str], None]
    """The only addresses and ranges (CIDR) it works from; null for all. From another it is 401 `invalid_api_key`."""


class ApiKeySpend(TypedDict):
    """Credits taken for the key’s tasks, less those that came back."""
    today_credits: int
    """Of today."""
    month_credits: int
    """Of this month."""


#: Whose cap: of the key, or of its account with all keys and the console.
ApiKeyBudgetBudget = Literal[
    "key",
    "account",
]


#: What is capped; days and months are those of the account’s time zone.
ApiKeyBudgetPeriod = Literal[
    "total",
    "day",
    "month",
]


class ApiKeyBudget(TypedDict):
    """A cap in credits. What it has spent and left may lag behind for a moment; a request is decided by what holds
    then.
    """
    budget: ApiKeyBudgetBudget
    """Whose cap: of the key, or of its account with all keys and the console."""
    period: ApiKeyBudgetPeriod
    """What is capped; days and months are those of the account’s time zone."""
    max_credits: int
    """The cap; 0 refuses every request."""
    spent_credits: int
    """What is spent of it, less refunds of what the same period spent."""
    left_credits: int
    """A request above it is 402 `budget_exceeded`."""
    resets_at: Union[str, None]
    """When it begins anew; null for a total, which never does."""


class Estimate(TypedDict):
    """What a request would cost now. A generation of the same request reserves and charges the same number."""
    credits: int
    """The price, rounded up once."""
    price_version: str
    """The price book that the price is from."""
    breakdown: List[PriceLine]
    """What the price is made of."""
    request: VideoGenerationRequest
    """The request with defaults applied and the prompt trimmed."""
    available: bool
    """Whether a provider of the model is configured here; where it is false, a generation is refused before anything
    is reserved.
    """
    within_max_credits: bool
    """Whether the price is at most max_credits; true where the request has none."""
    sufficient_credits: bool
    """Whether the paid balance covers the price."""
    available_credits: int
    """The paid balance."""


class PriceLine(TypedDict):
    """One line of a price."""
    item: PriceItem
    quantity: int
    """How many units."""
    unit: PriceUnit
    rate: float
    """Credits for one unit."""
    credits: int
    """What the line adds to the rounded-up total; the lines sum to it."""


#: output: the video that is made. input_video: the reference videos.
PriceItem = Literal[
    "output",
    "input_video",
]


#: What one unit is: a second, or a whole generation.
PriceUnit = Literal[
    "second",
    "generation",
]


class UsageRecord(TypedDict):
    """One movement of credits."""
    created_at: str
    """When the credits moved."""
    task_id: Union[str, None]
    """The task; null for a grant or a debit, and for what was spent in the console."""
    change_id: Union[str, None]
    """The id of a grant or a debit; null for a task."""
    kind: UsageKind
    model: Union[str, None]
    """The model; null where there is no task_id."""
    mode: Union[Mode, None]
    """The mode; null where there is no task_id."""
    resolution: Union[str, None]
    """The resolution; null where there is no task_id."""
    billed_seconds: int
    """Seconds of output that the credits are for; breakdown has the reference videos too. 0 for a refund of a part,
    and where there is no task_id.
    """
    credits: int
    """Negative where credits were taken, positive where they came back or were given."""
    balance_after: int
    """The paid balance after it: that of the record before it in time, plus these credits."""
    price_version: Union[str, None]
    """The price book of the charge; null where there is no task_id."""
    breakdown: Union[List[PriceLine], None]
    """The lines that the credits are the sum of, as an estimate tells them; null for a refund of a part, and where
    there is no task_id. JSON in a cell of CSV.
    """
    surface: Union[UsageSurface, None]
    """Where the generation was asked for; null for a grant or a debit."""
    key_id: Union[str, None]
    """The API key that asked; null where there is no task_id, and where it is not known any more."""
    tags: Union[Tags, None]
    """The tags of the task; null where it has none. As Filmgate-Tags has them in a cell of CSV."""


#: Values by name, as Filmgate-Tags had them.
Tags = Dict[str, str]


#: reservation: taken for a task. refund: came back from one, all or a part. grant, debit: given or taken by the
#: service.
UsageKind = Literal[
    "reservation",
    "refund",
    "grant",
    "debit",
]


#: api: by this API. web: in the console, by a member of the account; the record has the paid credits that moved, and
#: nothing of the task.
UsageSurface = Literal[
    "api",
    "web",
]


class UsageList(TypedDict):
    """A page of usage records, newest first."""
    object: Literal["list"]
    """Always `list`."""
    data: List[UsageRecord]
    """The rows of this page."""
    has_more: bool
    """Whether there are further rows."""
    next_cursor: Union[str, None]
    """What to send as `cursor` for the next page; null on the last."""


#: Usage, summed.
UsageSummary = TypedDict(
    "UsageSummary",
    {
        "object": "Literal[\"list\"]",
        "from": "str",
        "to": "str",
        "data": "List[UsageDay]",
    },
    total=True,
)


class _UsageDay(TypedDict):
    generations: int
    """Generations that were charged."""
    refunds: int
    """Generations whose credits came back, all or a part."""
    billed_seconds: int
    """Seconds whose credits were kept, all or a part; 0 for the console."""
    credits_used: int
    """Credits taken."""
    credits_refunded: int
    """Credits that came back."""
    credits_net: int
    """credits_used minus credits_refunded."""


class UsageDay(_UsageDay, total=False):
    """What one model cost on one day, or the console; or what one of `by` names."""
    day: str
    """The day in UTC; with `by` only where it is named."""
    model: Union[str, None]
    """The model; null for the paid credits that were spent in the console. With `by` only where it is named."""
    key_id: Union[str, None]
    """The API key; null for the console. Where `by` names key."""
    tag: Union[str, None]
    """name=value; null for what has no tag of that name. Where `by` names tag:NAME."""


class ModelList(TypedDict):
    """Every model of the catalog."""
    object: Literal["list"]
    """Always `list`."""
    version: str
    """Changes with every card, price and offer."""
    price_version: str
    """The price book in force."""
    data: List[Model]
    """The models."""


class Model(TypedDict):
    """What may be asked of one model here, and what that costs: modes, fields and values that no configured provider
    has are left out.
    """
    id: str
    """What a request names as `model`."""
    object: Literal["model"]
    """Always `model`."""
    family: str
    """The family of the model."""
    default: bool
    """Whether this is the model of a request that names none."""
    available: bool
    """Whether a provider of it is configured here. Where it is false, a generation is refused before anything is
    reserved.
    """
    default_mode: Union[str, None]
    """The mode of a request that names none; null where a request must name one."""
    capabilities: List[str]
    """Words such as `seed`, `generated_audio`, `end_frame` and `reference_videos`."""
    notes: List[str]
    """Sentences for people."""
    card_version: str
    """Changes with anything about the model but its price."""
    modes: ModelModes
    rules: List[ModelRule]
    """What JSON Schema cannot say, for a program to evaluate."""
    pricing: Pricing


#: The modes of a model by their names.
ModelModes = TypedDict(
    "ModelModes",
    {
        "text-to-video": "ModelMode",
        "image-to-video": "ModelMode",
        "media-to-video": "ModelMode",
    },
    total=False,
)


class ModelMode(TypedDict):
    """What one mode of a model takes."""
    required: List[str]
    """Properties that a request must have."""
    fields: List[str]
    """Properties that a request may have beside model and mode."""
    media_limits: Union[MediaLimits, None]
    """What its files may be; null where it takes none."""
    schema: Dict[str, Any]
    """JSON Schema 2020-12 of a request in this mode: what the server checks by."""


class _MediaLimits(TypedDict):
    total_bytes_max: int
    """Bytes of all files together."""


class MediaLimits(_MediaLimits, total=False):
    """What the files of a mode may be."""
    image: KindLimits
    """Each image."""
    video: KindLimits
    """Each video."""
    audio: KindLimits
    """Each audio file."""


class _KindLimits(TypedDict):
    formats: List[str]
    """What a file may be, such as `png` or `mp4`."""


class KindLimits(_KindLimits, total=False):
    """What one file may be."""
    bytes_max: int
    """Bytes of one file. No such limit where it is missing."""
    width_min: int
    """Pixels. No such limit where it is missing."""
    width_max: int
    """Pixels. No such limit where it is missing."""
    height_min: int
    """Pixels. No such limit where it is missing."""
    height_max: int
    """Pixels. No such limit where it is missing."""
    ratio_min: float
    """Width divided by height, at least."""
    ratio_max: float
    """Width divided by height, at most."""
    frame_rate_min: float
    """Frames a second, at least."""
    frame_rate_max: float
    """Frames a second, at most."""
    seconds_min: int
    """Seconds of one file, at least. No such limit where it is missing."""
    seconds_max: int
    """Seconds of one file, at most. No such limit where it is missing."""
    seconds_total_max: int
    """Seconds of all files of the kind together. No such limit where it is missing."""


#: How the sums compare.
ModelRuleOp = Literal[
    "<=",
    ">=",
    "==",
]


class _ModelRule(TypedDict):
    rule: str
    """The name that a refusal carries as `rule`."""
    modes: List[Mode]
    """The modes it holds in."""
    message: str
    """The rule in words."""


class ModelRule(_ModelRule, total=False):
    """Where all of `when` holds, `left` added up compares with `right` added up; or the text named by `well_formed`
    is well-formed Unicode.
    """
    when: List[RuleCondition]
    """Conditions; always where there are none."""
    left: List[RuleTerm]
    """Terms to add up."""
    op: ModelRuleOp
    """How the sums compare."""
    right: List[RuleTerm]
    """Terms to add up."""
    well_formed: str
    """A text that has neither U+0000 nor an unpaired surrogate."""


#: A number, or how to get one from a request.
RuleTerm = Union[float, "RuleMeasure"]


class RuleMeasure(TypedDict, total=False):
    """One of value, sum, count and trimmed_length, each naming a property. A property left out counts as `default`,
    or 0.
    """
    value: str
    """The value of this property."""
    sum: str
    """The sum of this list."""
    count: str
    """The number of items of this list."""
    trimmed_length: str
    """The Unicode code points of this text after trimming."""
    default: float
    """What a property left out counts as."""


class _RuleCondition(TypedDict):
    field: str
    """The property."""


class RuleCondition(_RuleCondition, total=False):
    """Holds with the default in place of a property left out; a list left out has no items."""
    present: bool
    """Whether it must be there, or must not."""
    one_of: List[Union[str, int, bool]]
    """It has one of these values."""
    min: float
    """It is at least this."""
    max: float
    """It is at most this."""
    items_min: int
    """The list has at least so many items."""
    items_max: int
    """The list has at most so many items."""
    default: Union[str, int, bool]
    """What a property left out counts as."""


class Pricing(TypedDict):
    """The prices of a model."""
    price_version: str
    """The price book."""
    rounding: str
    """How the sum is rounded."""
    rows: List[PriceRow]
    """Of the output rows exactly one fits a request."""


class _PriceRow(TypedDict):
    item: PriceItem
    unit: PriceUnit
    credits_per_unit: float
    """Credits for one unit."""


class PriceRow(_PriceRow, total=False):
    """A rate and what it is for."""
    resolution: str
    """At this resolution; any where it is missing."""
    generate_audio: bool
    """With or without generated sound; both where it is missing."""
    duration: int
    """At this length in seconds; any where it is missing."""


class WebhookEndpoint(TypedDict):
    """An address that is told of events of the account."""
    id: str
    """The id of the endpoint."""
    url: str
    """Where events are posted: https on port 443 of a public host, without user, password and fragment."""
    description: str
    """What it is for, in your words."""
    events: List[WebhookEventType]
    """What it is told."""
    status: WebhookStatus
    paused_reason: Union[str, None]
    """Why nothing is sent; null while it is active."""
    created_at: str
    """When it was made."""
    updated_at: str
    """When it last changed."""


class _NewWebhookEndpoint(TypedDict):
    url: str
    """Where events are posted: https on port 443 of a public host, without user, password and fragment."""


class NewWebhookEndpoint(_NewWebhookEndpoint, total=False):
    """A new endpoint."""
    events: List[WebhookEventType]
    """What it is told. Left out: everything."""
    description: str
    """What it is for, in your words."""


class WebhookEndpointChange(TypedDict, total=False):
    """What changes of an endpoint; what is left out stays."""
    url: str
    """Where events are posted: https on port 443 of a public host, without user, password and fragment."""
    events: List[WebhookEventType]
    """What it is told. Left out: everything."""
    description: str
    """What it is for, in your words."""


class CreatedWebhookEndpoint(TypedDict):
    """A new endpoint and its secret."""
    id: str
    """The id of the endpoint."""
    url: str
    """Where events are posted: https on port 443 of a public host, without user, password and fragment."""
    description: str
    """What it is for, in your words."""
    events: List[WebhookEventType]
    """What it is told."""
    status: WebhookStatus
    paused_reason: Union[str, None]
    """Why nothing is sent; null while it is active."""
    created_at: str
    """When it was made."""
    updated_at: str
    """When it last changed."""
    secret: str
    """Signs its deliveries. It is only in this answer: store it."""


class RotatedWebhookEndpoint(TypedDict):
    """An endpoint with a new secret."""
    id: str
    """The id of the endpoint."""
    url: str
    """Where events are posted: https on port 443 of a public host, without user, password and fragment."""
    description: str
    """What it is for, in your words."""
    events: List[WebhookEventType]
    """What it is told."""
    status: WebhookStatus
    paused_reason: Union[str, None]
    """Why nothing is sent; null while it is active."""
    created_at: str
    """When it was made."""
    updated_at: str
    """When it last changed."""
    secret: str
    """Signs its deliveries. It is only in this answer: store it."""
    former_secret_until: str
    """Until then deliveries are also signed with the former secret."""


class WebhookEndpointList(TypedDict):
    """The endpoints of the account, at most 20."""
    object: Literal["list"]
    """Always `list`."""
    data: List[WebhookEndpoint]
    """The endpoints."""
    next_cursor: None
    """Always null: there is one page."""


#: task.completed, task.failed: a task of the API has ended, and its credits are settled or on their way back.
#: task.in_review: whether it ends and how is not known yet. balance.low: the paid balance fell below the threshold of
#: the account.
WebhookEventType = Literal[
    "task.completed",
    "task.failed",
    "task.in_review",
    "balance.low",
]


#: paused: nothing is sent after days of failures alone, until it is resumed.
WebhookStatus = Literal[
    "active",
    "paused",
]


class WebhookDelivery(TypedDict):
    """One event for one endpoint."""
    id: str
    """The header `webhook-id`, the same in every attempt: skip what you have handled."""
    event: str
    """The type of the event; `webhook.test` for a test."""
    task_id: Union[str, None]
    """The task that it tells of."""
    status: WebhookDeliveryStatus
    attempts: List[WebhookAttempt]
    """The attempts to send it, oldest first."""
    next_attempt_at: Union[str, None]
    """When it is sent next; null unless it is pending."""
    created_at: str
    """When the event came."""


#: pending: it is sent, or sent again. delivered: it was answered with 2xx. failed: no attempt of 24 hours was.
WebhookDeliveryStatus = Literal[
    "pending",
    "delivered",
    "failed",
]


class WebhookAttempt(TypedDict):
    """One request to the endpoint."""
    at: str
    """When it was sent."""
    duration_ms: int
    """How long the answer took, in milliseconds."""
    status: Union[int, None]
    """The status of the answer; null if there was none."""
    error: Union[str, None]
    """Why there was no answer."""
    answer: Union[str, None]
    """How the answer begins."""


class WebhookDeliveryList(TypedDict):
    """A page of deliveries, newest first, of the last 30 days."""
    object: Literal["list"]
    """Always `list`."""
    data: List[WebhookDelivery]
    """The rows of this page."""
    next_cursor: Union[str, None]
    """What to send as `cursor` for the next page; null on the last."""


#: What is sent again: one delivery by its id, or all that were created in a span.
WebhookReplay = TypedDict(
    "WebhookReplay",
    {
        "delivery_id": "str",
        "from": "str",
        "to": "str",
    },
    total=False,
)


class WebhookReplayed(TypedDict):
    """How many deliveries are sent again."""
    replayed: int
    """How many."""
    more: bool
    """Whether the span has more: then send the rest of it again."""


class ErrorResponse(TypedDict):
    """What every refusal looks like."""
    error: ApiError


class _ApiError(TypedDict):
    code: ErrorCode
    message: str
    """For people. The words may change."""


class ApiError(_ApiError, total=False):
    """A refusal."""
    details: ErrorDetails
    """What a program may need; which properties are there depends on the code."""


#: For programs: the closed list of why a request is refused.
ErrorCode = Literal[
    "invalid_request",
    "invalid_content_type",
    "invalid_json",
    "unsupported_field",
    "missing_idempotency_key",
    "invalid_idempotency_key",
    "invalid_task_id",
    "unknown_model",
    "media_unreachable",
    "media_forbidden_address",
    "media_too_large",
    "media_type_unsupported",
    "media_dimensions",
    "media_frame_rate",
    "media_duration",
    "media_duration_mismatch",
    "media_corrupt",
    "max_credits_exceeded",
    "prompt_rejected",
    "missing_api_key",
    "invalid_api_key",
    "insufficient_credits",
    "budget_exceeded",
    "task_not_found",
    "upload_not_found",
    "model_not_found",
    "video_not_ready",
    "not_found",
    "method_not_allowed",
    "no_video",
    "idempotency_key_reused",
    "video_not_ended",
    "not_cancellable",
    "cancelled",
    "body_too_large",
    "rate_limited",
    "unfinished_task_limit",
    "upload_limit",
    "generation_unavailable",
    "acceptance_uncertain",
    "service_unavailable",
    "endpoint_limit",
    "invalid_http",
    "too_many_pipelined",
    "request_timeout",
    "expectation_failed",
    "headers_too_large",
    "http_version_not_supported",
    "internal_error",
]


#: Why the task is not cancelled. With `not_cancellable`.
ErrorDetailsReason = Literal[
    "ended",
    "finished",
    "provider_cannot",
    "provider_refused",
    "provider_silent",
    "uncertain",
]


#: Whose budget has too little left: of several, the one that comes back last. With `budget_exceeded`.
ErrorDetailsBudget = Literal[
    "key",
    "member",
    "account",
]


#: What that budget caps; days and months are those of the account’s time zone. With `budget_exceeded`.
ErrorDetailsPeriod = Literal[
    "total",
    "day",
    "month",
]


class ErrorDetails(TypedDict, total=False):
    """Facts beside an error. Which of them are there depends on the code."""
    issues: List[Issue]
    """Every fault of the request at once, at most 100. With `invalid_request`, `invalid_json`, `unsupported_field`,
    `unknown_model`.
    """
    task_id: str
    """The task that the answer is about: one that failed, or one whose acceptance is not known yet. With
    `media_unreachable`, `media_forbidden_address`, `media_too_large`, `media_type_unsupported`,
    `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`, `media_corrupt`,
    `prompt_rejected`, `not_cancellable`, `cancelled`, `generation_unavailable`, `acceptance_uncertain`.
    """
    url_index: int
    """Which item of `field`, from 0. With `media_unreachable`, `media_forbidden_address`, `media_too_large`,
    `media_type_unsupported`, `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`,
    `media_corrupt`, `generation_unavailable`.
    """
    field: str
    """The property whose file is meant. With `media_unreachable`, `media_forbidden_address`, `media_too_large`,
    `media_type_unsupported`, `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`,
    `media_corrupt`, `generation_unavailable`.
    """
    reason: ErrorDetailsReason
    """Why the task is not cancelled. With `not_cancellable`."""
    measured: str
    """What was found in the file. With `media_unreachable`, `media_forbidden_address`, `media_too_large`,
    `media_type_unsupported`, `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`,
    `media_corrupt`.
    """
    limit: str
    """What the model takes. Beside `rate_limited`: `refusals`, where it is not the limit of requests. With
    `media_unreachable`, `media_forbidden_address`, `media_too_large`, `media_type_unsupported`,
    `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`, `media_corrupt`,
    `rate_limited`.
    """
    price_credits: int
    """The price of the request. With `max_credits_exceeded`."""
    max_credits: int
    """What the request allows. With `max_credits_exceeded`."""
    price_version: str
    """The price book that the price is from. With `max_credits_exceeded`."""
    required_credits: int
    """The price of the request. With `insufficient_credits`, `budget_exceeded`."""
    available_credits: int
    """The paid balance. With `insufficient_credits`."""
    budget: ErrorDetailsBudget
    """Whose budget has too little left: of several, the one that comes back last. With `budget_exceeded`."""
    period: ErrorDetailsPeriod
    """What that budget caps; days and months are those of the account’s time zone. With `budget_exceeded`."""
    left_credits: int
    """What that budget has left, less than the price. With `budget_exceeded`."""
    resets_at: Union[str, None]
    """When that budget begins anew; null for a total, which never does. With `budget_exceeded`."""
    unfinished: List[UnfinishedTask]
    """The tasks that count, of the API and of the console: those first that stop first, at most 10. With
    `unfinished_task_limit`.
    """


#: What its credits wait for.
UnfinishedTaskBillingStatus = Literal[
    "reserved",
    "review",
    "refund_pending",
]


class _UnfinishedTask(TypedDict):
    task_id: str
    """The task. One of the console can’t be read here."""
    billing_status: UnfinishedTaskBillingStatus
    """What its credits wait for."""


class UnfinishedTask(_UnfinishedTask, total=False):
    """A task that counts towards the limit of the account."""
    until: str
    """Of a review: from then on it does not count, because its generation can no longer run. Its credits stay held.
    """


class Issue(TypedDict):
    """One fault of a request."""
    path: str
    """The property, such as `duration` or `reference_image_urls[2]`; empty for the body itself."""
    rule: str
    """What it offends: a keyword such as `required` or `maximum`, or the name of a rule of the model."""
    message: str
    """The fault in words: what is legal, and what was sent."""


class InvalidRequestDetails(TypedDict):
    """What `details` holds with `invalid_request`."""
    issues: List[Issue]
    """Every fault of the request at once, at most 100. With `invalid_request`, `invalid_json`, `unsupported_field`,
    `unknown_model`.
    """


class InvalidJsonDetails(TypedDict, total=False):
    """What `details` holds with `invalid_json`."""
    issues: List[Issue]
    """Every fault of the request at once, at most 100. With `invalid_request`, `invalid_json`, `unsupported_field`,
    `unknown_model`.
    """


class UnsupportedFieldDetails(TypedDict):
    """What `details` holds with `unsupported_field`."""
    issues: List[Issue]
    """Every fault of the request at once, at most 100. With `invalid_request`, `invalid_json`, `unsupported_field`,
    `unknown_model`.
    """


class UnknownModelDetails(TypedDict):
    """What `details` holds with `unknown_model`."""
    issues: List[Issue]
    """Every fault of the request at once, at most 100. With `invalid_request`, `invalid_json`, `unsupported_field`,
    `unknown_model`.
    """


class _MediaUnreachableDetails(TypedDict):
    task_id: str
    """The task that the answer is about: one that failed, or one whose acceptance is not known yet. With
    `media_unreachable`, `media_forbidden_address`, `media_too_large`, `media_type_unsupported`,
    `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`, `media_corrupt`,
    `prompt_rejected`, `not_cancellable`, `cancelled`, `generation_unavailable`, `acceptance_uncertain`.
    """


class MediaUnreachableDetails(_MediaUnreachableDetails, total=False):
    """What `details` holds with `media_unreachable`."""
    url_index: int
    """Which item of `field`, from 0. With `media_unreachable`, `media_forbidden_address`, `media_too_large`,
    `media_type_unsupported`, `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`,
    `media_corrupt`, `generation_unavailable`.
    """
    field: str
    """The property whose file is meant. With `media_unreachable`, `media_forbidden_address`, `media_too_large`,
    `media_type_unsupported`, `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`,
    `media_corrupt`, `generation_unavailable`.
    """
    measured: str
    """What was found in the file. With `media_unreachable`, `media_forbidden_address`, `media_too_large`,
    `media_type_unsupported`, `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`,
    `media_corrupt`.
    """
    limit: str
    """What the model takes. Beside `rate_limited`: `refusals`, where it is not the limit of requests. With
    `media_unreachable`, `media_forbidden_address`, `media_too_large`, `media_type_unsupported`,
    `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`, `media_corrupt`,
    `rate_limited`.
    """


class _MediaForbiddenAddressDetails(TypedDict):
    task_id: str
    """The task that the answer is about: one that failed, or one whose acceptance is not known yet. With
    `media_unreachable`, `media_forbidden_address`, `media_too_large`, `media_type_unsupported`,
    `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`, `media_corrupt`,
    `prompt_rejected`, `not_cancellable`, `cancelled`, `generation_unavailable`, `acceptance_uncertain`.
    """


class MediaForbiddenAddressDetails(_MediaForbiddenAddressDetails, total=False):
    """What `details` holds with `media_forbidden_address`."""
    url_index: int
    """Which item of `field`, from 0. With `media_unreachable`, `media_forbidden_address`, `media_too_large`,
    `media_type_unsupported`, `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`,
    `media_corrupt`, `generation_unavailable`.
    """
    field: str
    """The property whose file is meant. With `media_unreachable`, `media_forbidden_address`, `media_too_large`,
    `media_type_unsupported`, `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`,
    `media_corrupt`, `generation_unavailable`.
    """
    measured: str
    """What was found in the file. With `media_unreachable`, `media_forbidden_address`, `media_too_large`,
    `media_type_unsupported`, `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`,
    `media_corrupt`.
    """
    limit: str
    """What the model takes. Beside `rate_limited`: `refusals`, where it is not the limit of requests. With
    `media_unreachable`, `media_forbidden_address`, `media_too_large`, `media_type_unsupported`,
    `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`, `media_corrupt`,
    `rate_limited`.
    """


class _MediaTooLargeDetails(TypedDict):
    task_id: str
    """The task that the answer is about: one that failed, or one whose acceptance is not known yet. With
    `media_unreachable`, `media_forbidden_address`, `media_too_large`, `media_type_unsupported`,
    `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`, `media_corrupt`,
    `prompt_rejected`, `not_cancellable`, `cancelled`, `generation_unavailable`, `acceptance_uncertain`.
    """


class MediaTooLargeDetails(_MediaTooLargeDetails, total=False):
    """What `details` holds with `media_too_large`."""
    url_index: int
    """Which item of `field`, from 0. With `media_unreachable`, `media_forbidden_address`, `media_too_large`,
    `media_type_unsupported`, `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`,
    `media_corrupt`, `generation_unavailable`.
    """
    field: str
    """The property whose file is meant. With `media_unreachable`, `media_forbidden_address`, `media_too_large`,
    `media_type_unsupported`, `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`,
    `media_corrupt`, `generation_unavailable`.
    """
    measured: str
    """What was found in the file. With `media_unreachable`, `media_forbidden_address`, `media_too_large`,
    `media_type_unsupported`, `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`,
    `media_corrupt`.
    """
    limit: str
    """What the model takes. Beside `rate_limited`: `refusals`, where it is not the limit of requests. With
    `media_unreachable`, `media_forbidden_address`, `media_too_large`, `media_type_unsupported`,
    `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`, `media_corrupt`,
    `rate_limited`.
    """


class _MediaTypeUnsupportedDetails(TypedDict):
    task_id: str
    """The task that the answer is about: one that failed, or one whose acceptance is not known yet. With
    `media_unreachable`, `media_forbidden_address`, `media_too_large`, `media_type_unsupported`,
    `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`, `media_corrupt`,
    `prompt_rejected`, `not_cancellable`, `cancelled`, `generation_unavailable`, `acceptance_uncertain`.
    """


class MediaTypeUnsupportedDetails(_MediaTypeUnsupportedDetails, total=False):
    """What `details` holds with `media_type_unsupported`."""
    url_index: int
    """Which item of `field`, from 0. With `media_unreachable`, `media_forbidden_address`, `media_too_large`,
    `media_type_unsupported`, `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`,
    `media_corrupt`, `generation_unavailable`.
    """
    field: str
    """The property whose file is meant. With `media_unreachable`, `media_forbidden_address`, `media_too_large`,
    `media_type_unsupported`, `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`,
    `media_corrupt`, `generation_unavailable`.
    """
    measured: str
    """What was found in the file. With `media_unreachable`, `media_forbidden_address`, `media_too_large`,
    `media_type_unsupported`, `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`,
    `media_corrupt`.
    """
    limit: str
    """What the model takes. Beside `rate_limited`: `refusals`, where it is not the limit of requests. With
    `media_unreachable`, `media_forbidden_address`, `media_too_large`, `media_type_unsupported`,
    `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`, `media_corrupt`,
    `rate_limited`.
    """


class _MediaDimensionsDetails(TypedDict):
    task_id: str
    """The task that the answer is about: one that failed, or one whose acceptance is not known yet. With
    `media_unreachable`, `media_forbidden_address`, `media_too_large`, `media_type_unsupported`,
    `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`, `media_corrupt`,
    `prompt_rejected`, `not_cancellable`, `cancelled`, `generation_unavailable`, `acceptance_uncertain`.
    """


class MediaDimensionsDetails(_MediaDimensionsDetails, total=False):
    """What `details` holds with `media_dimensions`."""
    url_index: int
    """Which item of `field`, from 0. With `media_unreachable`, `media_forbidden_address`, `media_too_large`,
    `media_type_unsupported`, `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`,
    `media_corrupt`, `generation_unavailable`.
    """
    field: str
    """The property whose file is meant. With `media_unreachable`, `media_forbidden_address`, `media_too_large`,
    `media_type_unsupported`, `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`,
    `media_corrupt`, `generation_unavailable`.
    """
    measured: str
    """What was found in the file. With `media_unreachable`, `media_forbidden_address`, `media_too_large`,
    `media_type_unsupported`, `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`,
    `media_corrupt`.
    """
    limit: str
    """What the model takes. Beside `rate_limited`: `refusals`, where it is not the limit of requests. With
    `media_unreachable`, `media_forbidden_address`, `media_too_large`, `media_type_unsupported`,
    `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`, `media_corrupt`,
    `rate_limited`.
    """


class _MediaFrameRateDetails(TypedDict):
    task_id: str
    """The task that the answer is about: one that failed, or one whose acceptance is not known yet. With
    `media_unreachable`, `media_forbidden_address`, `media_too_large`, `media_type_unsupported`,
    `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`, `media_corrupt`,
    `prompt_rejected`, `not_cancellable`, `cancelled`, `generation_unavailable`, `acceptance_uncertain`.
    """


class MediaFrameRateDetails(_MediaFrameRateDetails, total=False):
    """What `details` holds with `media_frame_rate`."""
    url_index: int
    """Which item of `field`, from 0. With `media_unreachable`, `media_forbidden_address`, `media_too_large`,
    `media_type_unsupported`, `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`,
    `media_corrupt`, `generation_unavailable`.
    """
    field: str
    """The property whose file is meant. With `media_unreachable`, `media_forbidden_address`, `media_too_large`,
    `media_type_unsupported`, `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`,
    `media_corrupt`, `generation_unavailable`.
    """
    measured: str
    """What was found in the file. With `media_unreachable`, `media_forbidden_address`, `media_too_large`,
    `media_type_unsupported`, `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`,
    `media_corrupt`.
    """
    limit: str
    """What the model takes. Beside `rate_limited`: `refusals`, where it is not the limit of requests. With
    `media_unreachable`, `media_forbidden_address`, `media_too_large`, `media_type_unsupported`,
    `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`, `media_corrupt`,
    `rate_limited`.
    """


class _MediaDurationDetails(TypedDict):
    task_id: str
    """The task that the answer is about: one that failed, or one whose acceptance is not known yet. With
    `media_unreachable`, `media_forbidden_address`, `media_too_large`, `media_type_unsupported`,
    `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`, `media_corrupt`,
    `prompt_rejected`, `not_cancellable`, `cancelled`, `generation_unavailable`, `acceptance_uncertain`.
    """


class MediaDurationDetails(_MediaDurationDetails, total=False):
    """What `details` holds with `media_duration`."""
    url_index: int
    """Which item of `field`, from 0. With `media_unreachable`, `media_forbidden_address`, `media_too_large`,
    `media_type_unsupported`, `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`,
    `media_corrupt`, `generation_unavailable`.
    """
    field: str
    """The property whose file is meant. With `media_unreachable`, `media_forbidden_address`, `media_too_large`,
    `media_type_unsupported`, `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`,
    `media_corrupt`, `generation_unavailable`.
    """
    measured: str
    """What was found in the file. With `media_unreachable`, `media_forbidden_address`, `media_too_large`,
    `media_type_unsupported`, `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`,
    `media_corrupt`.
    """
    limit: str
    """What the model takes. Beside `rate_limited`: `refusals`, where it is not the limit of requests. With
    `media_unreachable`, `media_forbidden_address`, `media_too_large`, `media_type_unsupported`,
    `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`, `media_corrupt`,
    `rate_limited`.
    """


class _MediaDurationMismatchDetails(TypedDict):
    task_id: str
    """The task that the answer is about: one that failed, or one whose acceptance is not known yet. With
    `media_unreachable`, `media_forbidden_address`, `media_too_large`, `media_type_unsupported`,
    `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`, `media_corrupt`,
    `prompt_rejected`, `not_cancellable`, `cancelled`, `generation_unavailable`, `acceptance_uncertain`.
    """


class MediaDurationMismatchDetails(_MediaDurationMismatchDetails, total=False):
    """What `details` holds with `media_duration_mismatch`."""
    url_index: int
    """Which item of `field`, from 0. With `media_unreachable`, `media_forbidden_address`, `media_too_large`,
    `media_type_unsupported`, `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`,
    `media_corrupt`, `generation_unavailable`.
    """
    field: str
    """The property whose file is meant. With `media_unreachable`, `media_forbidden_address`, `media_too_large`,
    `media_type_unsupported`, `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`,
    `media_corrupt`, `generation_unavailable`.
    """
    measured: str
    """What was found in the file. With `media_unreachable`, `media_forbidden_address`, `media_too_large`,
    `media_type_unsupported`, `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`,
    `media_corrupt`.
    """
    limit: str
    """What the model takes. Beside `rate_limited`: `refusals`, where it is not the limit of requests. With
    `media_unreachable`, `media_forbidden_address`, `media_too_large`, `media_type_unsupported`,
    `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`, `media_corrupt`,
    `rate_limited`.
    """


class _MediaCorruptDetails(TypedDict):
    task_id: str
    """The task that the answer is about: one that failed, or one whose acceptance is not known yet. With
    `media_unreachable`, `media_forbidden_address`, `media_too_large`, `media_type_unsupported`,
    `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`, `media_corrupt`,
    `prompt_rejected`, `not_cancellable`, `cancelled`, `generation_unavailable`, `acceptance_uncertain`.
    """


class MediaCorruptDetails(_MediaCorruptDetails, total=False):
    """What `details` holds with `media_corrupt`."""
    url_index: int
    """Which item of `field`, from 0. With `media_unreachable`, `media_forbidden_address`, `media_too_large`,
    `media_type_unsupported`, `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`,
    `media_corrupt`, `generation_unavailable`.
    """
    field: str
    """The property whose file is meant. With `media_unreachable`, `media_forbidden_address`, `media_too_large`,
    `media_type_unsupported`, `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`,
    `media_corrupt`, `generation_unavailable`.
    """
    measured: str
    """What was found in the file. With `media_unreachable`, `media_forbidden_address`, `media_too_large`,
    `media_type_unsupported`, `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`,
    `media_corrupt`.
    """
    limit: str
    """What the model takes. Beside `rate_limited`: `refusals`, where it is not the limit of requests. With
    `media_unreachable`, `media_forbidden_address`, `media_too_large`, `media_type_unsupported`,
    `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`, `media_corrupt`,
    `rate_limited`.
    """


class MaxCreditsExceededDetails(TypedDict):
    """What `details` holds with `max_credits_exceeded`."""
    price_credits: int
    """The price of the request. With `max_credits_exceeded`."""
    max_credits: int
    """What the request allows. With `max_credits_exceeded`."""
    price_version: str
    """The price book that the price is from. With `max_credits_exceeded`."""


class PromptRejectedDetails(TypedDict):
    """What `details` holds with `prompt_rejected`."""
    task_id: str
    """The task that the answer is about: one that failed, or one whose acceptance is not known yet. With
    `media_unreachable`, `media_forbidden_address`, `media_too_large`, `media_type_unsupported`,
    `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`, `media_corrupt`,
    `prompt_rejected`, `not_cancellable`, `cancelled`, `generation_unavailable`, `acceptance_uncertain`.
    """


class InsufficientCreditsDetails(TypedDict):
    """What `details` holds with `insufficient_credits`."""
    required_credits: int
    """The price of the request. With `insufficient_credits`, `budget_exceeded`."""
    available_credits: int
    """The paid balance. With `insufficient_credits`."""


class BudgetExceededDetails(TypedDict):
    """What `details` holds with `budget_exceeded`."""
    budget: ErrorDetailsBudget
    """Whose budget has too little left: of several, the one that comes back last. With `budget_exceeded`."""
    period: ErrorDetailsPeriod
    """What that budget caps; days and months are those of the account’s time zone. With `budget_exceeded`."""
    required_credits: int
    """The price of the request. With `insufficient_credits`, `budget_exceeded`."""
    left_credits: int
    """What that budget has left, less than the price. With `budget_exceeded`."""
    resets_at: Union[str, None]
    """When that budget begins anew; null for a total, which never does. With `budget_exceeded`."""


class NotCancellableDetails(TypedDict):
    """What `details` holds with `not_cancellable`."""
    task_id: str
    """The task that the answer is about: one that failed, or one whose acceptance is not known yet. With
    `media_unreachable`, `media_forbidden_address`, `media_too_large`, `media_type_unsupported`,
    `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`, `media_corrupt`,
    `prompt_rejected`, `not_cancellable`, `cancelled`, `generation_unavailable`, `acceptance_uncertain`.
    """
    reason: ErrorDetailsReason
    """Why the task is not cancelled. With `not_cancellable`."""


class CancelledDetails(TypedDict):
    """What `details` holds with `cancelled`."""
    task_id: str
    """The task that the answer is about: one that failed, or one whose acceptance is not known yet. With
    `media_unreachable`, `media_forbidden_address`, `media_too_large`, `media_type_unsupported`,
    `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`, `media_corrupt`,
    `prompt_rejected`, `not_cancellable`, `cancelled`, `generation_unavailable`, `acceptance_uncertain`.
    """


class RateLimitedDetails(TypedDict, total=False):
    """What `details` holds with `rate_limited`."""
    limit: str
    """What the model takes. Beside `rate_limited`: `refusals`, where it is not the limit of requests. With
    `media_unreachable`, `media_forbidden_address`, `media_too_large`, `media_type_unsupported`,
    `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`, `media_corrupt`,
    `rate_limited`.
    """


class UnfinishedTaskLimitDetails(TypedDict, total=False):
    """What `details` holds with `unfinished_task_limit`."""
    unfinished: List[UnfinishedTask]
    """The tasks that count, of the API and of the console: those first that stop first, at most 10. With
    `unfinished_task_limit`.
    """


class GenerationUnavailableDetails(TypedDict, total=False):
    """What `details` holds with `generation_unavailable`."""
    task_id: str
    """The task that the answer is about: one that failed, or one whose acceptance is not known yet. With
    `media_unreachable`, `media_forbidden_address`, `media_too_large`, `media_type_unsupported`,
    `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`, `media_corrupt`,
    `prompt_rejected`, `not_cancellable`, `cancelled`, `generation_unavailable`, `acceptance_uncertain`.
    """
    url_index: int
    """Which item of `field`, from 0. With `media_unreachable`, `media_forbidden_address`, `media_too_large`,
    `media_type_unsupported`, `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`,
    `media_corrupt`, `generation_unavailable`.
    """
    field: str
    """The property whose file is meant. With `media_unreachable`, `media_forbidden_address`, `media_too_large`,
    `media_type_unsupported`, `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`,
    `media_corrupt`, `generation_unavailable`.
    """


class AcceptanceUncertainDetails(TypedDict):
    """What `details` holds with `acceptance_uncertain`."""
    task_id: str
    """The task that the answer is about: one that failed, or one whose acceptance is not known yet. With
    `media_unreachable`, `media_forbidden_address`, `media_too_large`, `media_type_unsupported`,
    `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`, `media_corrupt`,
    `prompt_rejected`, `not_cancellable`, `cancelled`, `generation_unavailable`, `acceptance_uncertain`.
    """


class _RequestFields(TypedDict):
    prompt: str
    """What the video shows, in words, not in invisible characters alone. Trimmed before it is counted, in Unicode
    code points, and sent on.
    """


class RequestFields(_RequestFields, total=False):
    """The fields of requests and what they mean. Models and modes take some of them, and narrow their values."""
    duration: int
    """How long the video is, in whole seconds. Most models charge by it."""
    resolution: str
    """The size of the picture, as the model names it. The price depends on it."""
    aspect_ratio: str
    """Width to height of the picture; adaptive leaves it to the model, which follows the media it is given."""
    max_credits: int
    """The most that this may cost. Where the price is higher the request is refused before anything is charged."""
    image_url: str
    """The picture that the video starts with: an https URL that anyone can fetch."""
    end_image_url: str
    """The picture that the video ends with: an https URL that anyone can fetch."""
    reference_image_urls: List[str]
    """Pictures that the video takes its subjects or its style from. Not beside frames."""
    reference_video_urls: List[str]
    """Videos that the video takes its subjects or its movement from. Their seconds may cost credits. Not beside
    frames.
    """
    reference_video_durations: List[int]
    """The length of each file of reference_video_urls, in the same order, in whole seconds rounded up. Required with
    it; the decoded files must agree.
    """
    reference_audio_urls: List[str]
    """Sound that the video follows. Not beside frames."""
    reference_audio_durations: List[int]
    """The length of each file of reference_audio_urls, in the same order, in whole seconds rounded up. Required with
    it; the decoded files must agree.
    """
    seed: int
    """A number that makes a result easier to repeat: the same request with the same seed gives a similar video."""
    watermark: bool
    """Whether the provider marks the picture. Default: false."""
    generate_audio: bool
    """Whether the model makes sound as well. The price may depend on it. Default: false."""


class _AlphaH3TextToVideo(TypedDict):
    model: Literal["alpha-h3"]
    prompt: str


class AlphaH3TextToVideo(_AlphaH3TextToVideo, total=False):
    """alpha-h3, text-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    mode: Literal["text-to-video"]
    duration: Literal[4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    """Default: 5."""
    resolution: Literal["768p", "2k"]
    """Default: 768p."""
    aspect_ratio: Literal["21:9", "16:9", "4:3", "1:1", "3:4", "9:16"]
    """Default: 16:9 in text-to-video, adaptive in image-to-video and media-to-video."""
    max_credits: int


class _AlphaH3ImageToVideo(TypedDict):
    model: Literal["alpha-h3"]
    mode: Literal["image-to-video"]
    prompt: str
    image_url: str


class AlphaH3ImageToVideo(_AlphaH3ImageToVideo, total=False):
    """alpha-h3, image-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    duration: Literal[4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    """Default: 5."""
    resolution: Literal["768p", "2k"]
    """Default: 768p."""
    aspect_ratio: Literal["adaptive"]
    """Default: 16:9 in text-to-video, adaptive in image-to-video and media-to-video."""
    max_credits: int
    end_image_url: str


class _AlphaH3MediaToVideo(TypedDict):
    model: Literal["alpha-h3"]
    mode: Literal["media-to-video"]
    prompt: str


class AlphaH3MediaToVideo(_AlphaH3MediaToVideo, total=False):
    """alpha-h3, media-to-video.

    Not in the type: reference_image_urls is given or reference_video_urls is given or reference_audio_urls is
    given; reference_video_durations is given when reference_video_urls is given; reference_audio_durations is
    given when reference_audio_urls is given; reference_image_urls is given or reference_video_urls is given when
    reference_audio_urls is given; prompt must have from 1 to 7000 characters after trimming, counted as Unicode
    code points; reference_image_urls, reference_video_urls and reference_audio_urls must have at most 12 items
    together; reference_video_durations must have as many items as reference_video_urls; the sum of
    reference_video_durations must be at most 15; reference_audio_durations must have as many items as
    reference_audio_urls; the sum of reference_audio_durations must be at most 15.
    """
    duration: Literal[4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    """Default: 5."""
    resolution: Literal["768p", "2k"]
    """Default: 768p."""
    aspect_ratio: Literal["21:9", "16:9", "4:3", "1:1", "3:4", "9:16", "adaptive"]
    """Default: 16:9 in text-to-video, adaptive in image-to-video and media-to-video."""
    max_credits: int
    reference_image_urls: List[str]
    reference_video_urls: List[str]
    reference_video_durations: List[int]
    reference_audio_urls: List[str]
    reference_audio_durations: List[int]


class _AlphaH3FastTextToVideo(TypedDict):
    model: Literal["alpha-h3-fast"]
    prompt: str


class AlphaH3FastTextToVideo(_AlphaH3FastTextToVideo, total=False):
    """alpha-h3-fast, text-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    mode: Literal["text-to-video"]
    duration: Literal[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    """Default: 5."""
    resolution: Literal["480p", "768p"]
    """Default: 768p."""
    aspect_ratio: Literal["16:9", "9:16", "1:1"]
    """Default: 16:9."""
    max_credits: int


class _AlphaH3FastImageToVideo(TypedDict):
    model: Literal["alpha-h3-fast"]
    mode: Literal["image-to-video"]
    prompt: str
    image_url: str
    end_image_url: str


class AlphaH3FastImageToVideo(_AlphaH3FastImageToVideo, total=False):
    """alpha-h3-fast, image-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    duration: Literal[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    """Default: 5."""
    resolution: Literal["480p", "768p"]
    """Default: 768p."""
    aspect_ratio: Literal["16:9", "9:16", "1:1"]
    """Default: 16:9."""
    max_credits: int


class _AlphaH3FastMediaToVideo(TypedDict):
    model: Literal["alpha-h3-fast"]
    mode: Literal["media-to-video"]
    prompt: str


class AlphaH3FastMediaToVideo(_AlphaH3FastMediaToVideo, total=False):
    """alpha-h3-fast, media-to-video.

    Not in the type: reference_image_urls is given or reference_video_urls is given or reference_audio_urls is
    given; reference_video_durations is given when reference_video_urls is given; reference_audio_durations is
    given when reference_audio_urls is given; duration is at least 4 and resolution is 768p when
    reference_video_urls is given; prompt must have from 1 to 7000 characters after trimming, counted as Unicode
    code points; reference_image_urls, reference_video_urls and reference_audio_urls must have at most 12 items
    together; reference_video_durations must have as many items as reference_video_urls; the sum of
    reference_video_durations must be at most 15; reference_audio_durations must have as many items as
    reference_audio_urls; the sum of reference_audio_durations must be at most 15.
    """
    duration: Literal[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    """Default: 5."""
    resolution: Literal["480p", "768p"]
    """Default: 768p."""
    aspect_ratio: Literal["16:9", "9:16", "1:1"]
    """Default: 16:9."""
    max_credits: int
    reference_image_urls: List[str]
    reference_video_urls: List[str]
    reference_video_durations: List[int]
    reference_audio_urls: List[str]
    reference_audio_durations: List[int]


class _AlphaH3MaxTextToVideo(TypedDict):
    model: Literal["alpha-h3-max"]
    prompt: str


class AlphaH3MaxTextToVideo(_AlphaH3MaxTextToVideo, total=False):
    """alpha-h3-max, text-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    mode: Literal["text-to-video"]
    duration: Literal[5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    """Default: 5."""
    resolution: Literal["480p", "768p"]
    """Default: 768p."""
    aspect_ratio: Literal["21:9", "16:9", "4:3", "1:1", "3:4", "9:16"]
    """Default: 16:9 in text-to-video, adaptive in image-to-video."""
    max_credits: int


class _AlphaH3MaxImageToVideo(TypedDict):
    model: Literal["alpha-h3-max"]
    mode: Literal["image-to-video"]
    prompt: str
    image_url: str


class AlphaH3MaxImageToVideo(_AlphaH3MaxImageToVideo, total=False):
    """alpha-h3-max, image-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    duration: Literal[5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    """Default: 5."""
    resolution: Literal["480p", "768p"]
    """Default: 768p."""
    aspect_ratio: Literal["adaptive"]
    """Default: 16:9 in text-to-video, adaptive in image-to-video."""
    max_credits: int
    end_image_url: str


class _Beta10LiteTextToVideo(TypedDict):
    model: Literal["beta-1.0-lite"]
    prompt: str


class Beta10LiteTextToVideo(_Beta10LiteTextToVideo, total=False):
    """beta-1.0-lite, text-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    mode: Literal["text-to-video"]
    duration: Literal[4, 5, 6, 7, 8, 9, 10, 11, 12]
    """Default: 5."""
    resolution: Literal["480p", "720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    reference_image_urls: List[str]
    seed: int
    watermark: bool
    max_credits: int


class _Beta10LiteImageToVideo(TypedDict):
    model: Literal["beta-1.0-lite"]
    mode: Literal["image-to-video"]
    prompt: str
    image_url: str


class Beta10LiteImageToVideo(_Beta10LiteImageToVideo, total=False):
    """beta-1.0-lite, image-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    duration: Literal[4, 5, 6, 7, 8, 9, 10, 11, 12]
    """Default: 5."""
    resolution: Literal["480p", "720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    seed: int
    watermark: bool
    max_credits: int


class _Beta10ProTextToVideo(TypedDict):
    model: Literal["beta-1.0-pro"]
    prompt: str


class Beta10ProTextToVideo(_Beta10ProTextToVideo, total=False):
    """beta-1.0-pro, text-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    mode: Literal["text-to-video"]
    duration: Literal[4, 5, 6, 7, 8, 9, 10, 11, 12]
    """Default: 5."""
    resolution: Literal["480p", "720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    reference_image_urls: List[str]
    seed: int
    watermark: bool
    max_credits: int


class _Beta10ProImageToVideo(TypedDict):
    model: Literal["beta-1.0-pro"]
    mode: Literal["image-to-video"]
    prompt: str
    image_url: str


class Beta10ProImageToVideo(_Beta10ProImageToVideo, total=False):
    """beta-1.0-pro, image-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    duration: Literal[4, 5, 6, 7, 8, 9, 10, 11, 12]
    """Default: 5."""
    resolution: Literal["480p", "720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    seed: int
    watermark: bool
    max_credits: int
    end_image_url: str


class _Beta15ProTextToVideo(TypedDict):
    model: Literal["beta-1.5-pro"]
    prompt: str


class Beta15ProTextToVideo(_Beta15ProTextToVideo, total=False):
    """beta-1.5-pro, text-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    mode: Literal["text-to-video"]
    duration: Literal[4, 5, 6, 7, 8, 9, 10, 11, 12]
    """Default: 5."""
    resolution: Literal["480p", "720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    reference_image_urls: List[str]
    generate_audio: bool
    seed: int
    watermark: bool
    max_credits: int


class _Beta15ProImageToVideo(TypedDict):
    model: Literal["beta-1.5-pro"]
    mode: Literal["image-to-video"]
    prompt: str
    image_url: str


class Beta15ProImageToVideo(_Beta15ProImageToVideo, total=False):
    """beta-1.5-pro, image-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    duration: Literal[4, 5, 6, 7, 8, 9, 10, 11, 12]
    """Default: 5."""
    resolution: Literal["480p", "720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    generate_audio: bool
    seed: int
    watermark: bool
    max_credits: int
    end_image_url: str


class _Beta20TextToVideo(TypedDict):
    model: Literal["beta-2.0"]
    prompt: str


class Beta20TextToVideo(_Beta20TextToVideo, total=False):
    """beta-2.0, text-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    mode: Literal["text-to-video"]
    duration: Literal[4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    """Default: 5."""
    resolution: Literal["480p", "720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    generate_audio: bool
    seed: int
    watermark: bool
    max_credits: int


class _Beta20ImageToVideo(TypedDict):
    model: Literal["beta-2.0"]
    mode: Literal["image-to-video"]
    prompt: str
    image_url: str


class Beta20ImageToVideo(_Beta20ImageToVideo, total=False):
    """beta-2.0, image-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    duration: Literal[4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    """Default: 5."""
    resolution: Literal["480p", "720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    generate_audio: bool
    seed: int
    watermark: bool
    max_credits: int
    end_image_url: str


class _Beta20MediaToVideo(TypedDict):
    model: Literal["beta-2.0"]
    mode: Literal["media-to-video"]
    prompt: str


class Beta20MediaToVideo(_Beta20MediaToVideo, total=False):
    """beta-2.0, media-to-video.

    Not in the type: reference_image_urls is given or reference_video_urls is given or reference_audio_urls is
    given; reference_video_durations is given when reference_video_urls is given; reference_audio_durations is
    given when reference_audio_urls is given; prompt must have from 1 to 7000 characters after trimming, counted as
    Unicode code points; reference_video_durations must have as many items as reference_video_urls; the sum of
    reference_video_durations must be at most 15; reference_audio_durations must have as many items as
    reference_audio_urls; the sum of reference_audio_durations must be at most 15.
    """
    duration: Literal[4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    """Default: 5."""
    resolution: Literal["480p", "720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    generate_audio: bool
    seed: int
    watermark: bool
    max_credits: int
    reference_image_urls: List[str]
    reference_video_urls: List[str]
    reference_video_durations: List[int]
    reference_audio_urls: List[str]
    reference_audio_durations: List[int]


class _Beta20FastTextToVideo(TypedDict):
    prompt: str


class Beta20FastTextToVideo(_Beta20FastTextToVideo, total=False):
    """beta-2.0-fast, text-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    model: Literal["beta-2.0-fast"]
    mode: Literal["text-to-video"]
    duration: Literal[4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    """Default: 5."""
    resolution: Literal["480p", "720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    generate_audio: bool
    seed: int
    watermark: bool
    max_credits: int


class _Beta20FastImageToVideo(TypedDict):
    mode: Literal["image-to-video"]
    prompt: str
    image_url: str


class Beta20FastImageToVideo(_Beta20FastImageToVideo, total=False):
    """beta-2.0-fast, image-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    model: Literal["beta-2.0-fast"]
    duration: Literal[4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    """Default: 5."""
    resolution: Literal["480p", "720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    generate_audio: bool
    seed: int
    watermark: bool
    max_credits: int
    end_image_url: str


class _Beta20FastMediaToVideo(TypedDict):
    mode: Literal["media-to-video"]
    prompt: str


class Beta20FastMediaToVideo(_Beta20FastMediaToVideo, total=False):
    """beta-2.0-fast, media-to-video.

    Not in the type: reference_image_urls is given or reference_video_urls is given or reference_audio_urls is
    given; reference_video_durations is given when reference_video_urls is given; reference_audio_durations is
    given when reference_audio_urls is given; prompt must have from 1 to 7000 characters after trimming, counted as
    Unicode code points; reference_video_durations must have as many items as reference_video_urls; the sum of
    reference_video_durations must be at most 15; reference_audio_durations must have as many items as
    reference_audio_urls; the sum of reference_audio_durations must be at most 15.
    """
    model: Literal["beta-2.0-fast"]
    duration: Literal[4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    """Default: 5."""
    resolution: Literal["480p", "720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    generate_audio: bool
    seed: int
    watermark: bool
    max_credits: int
    reference_image_urls: List[str]
    reference_video_urls: List[str]
    reference_video_durations: List[int]
    reference_audio_urls: List[str]
    reference_audio_durations: List[int]


class _Beta20MiniTextToVideo(TypedDict):
    model: Literal["beta-2.0-mini"]
    prompt: str


class Beta20MiniTextToVideo(_Beta20MiniTextToVideo, total=False):
    """beta-2.0-mini, text-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    mode: Literal["text-to-video"]
    duration: Literal[4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    """Default: 5."""
    resolution: Literal["480p", "720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    generate_audio: bool
    seed: int
    watermark: bool
    max_credits: int


class _Beta20MiniImageToVideo(TypedDict):
    model: Literal["beta-2.0-mini"]
    mode: Literal["image-to-video"]
    prompt: str
    image_url: str


class Beta20MiniImageToVideo(_Beta20MiniImageToVideo, total=False):
    """beta-2.0-mini, image-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    duration: Literal[4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    """Default: 5."""
    resolution: Literal["480p", "720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    generate_audio: bool
    seed: int
    watermark: bool
    max_credits: int
    end_image_url: str


class _Beta20MiniMediaToVideo(TypedDict):
    model: Literal["beta-2.0-mini"]
    mode: Literal["media-to-video"]
    prompt: str


class Beta20MiniMediaToVideo(_Beta20MiniMediaToVideo, total=False):
    """beta-2.0-mini, media-to-video.

    Not in the type: reference_image_urls is given or reference_video_urls is given or reference_audio_urls is
    given; reference_video_durations is given when reference_video_urls is given; reference_audio_durations is
    given when reference_audio_urls is given; prompt must have from 1 to 7000 characters after trimming, counted as
    Unicode code points; reference_video_durations must have as many items as reference_video_urls; the sum of
    reference_video_durations must be at most 15; reference_audio_durations must have as many items as
    reference_audio_urls; the sum of reference_audio_durations must be at most 15.
    """
    duration: Literal[4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    """Default: 5."""
    resolution: Literal["480p", "720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    generate_audio: bool
    seed: int
    watermark: bool
    max_credits: int
    reference_image_urls: List[str]
    reference_video_urls: List[str]
    reference_video_durations: List[int]
    reference_audio_urls: List[str]
    reference_audio_durations: List[int]


class _Beta25TextToVideo(TypedDict):
    model: Literal["beta-2.5"]
    prompt: str


class Beta25TextToVideo(_Beta25TextToVideo, total=False):
    """beta-2.5, text-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    mode: Literal["text-to-video"]
    duration: Literal[4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30]
    """Default: 5."""
    resolution: Literal["480p", "720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    generate_audio: bool
    seed: int
    watermark: bool
    max_credits: int


class _Beta25ImageToVideo(TypedDict):
    model: Literal["beta-2.5"]
    mode: Literal["image-to-video"]
    prompt: str
    image_url: str


class Beta25ImageToVideo(_Beta25ImageToVideo, total=False):
    """beta-2.5, image-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    duration: Literal[4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30]
    """Default: 5."""
    resolution: Literal["480p", "720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    generate_audio: bool
    seed: int
    watermark: bool
    max_credits: int
    end_image_url: str


class _Beta25MediaToVideo(TypedDict):
    model: Literal["beta-2.5"]
    mode: Literal["media-to-video"]
    prompt: str


class Beta25MediaToVideo(_Beta25MediaToVideo, total=False):
    """beta-2.5, media-to-video.

    Not in the type: reference_image_urls is given or reference_video_urls is given or reference_audio_urls is
    given; reference_video_durations is given when reference_video_urls is given; reference_audio_durations is
    given when reference_audio_urls is given; prompt must have from 1 to 7000 characters after trimming, counted as
    Unicode code points; reference_video_durations must have as many items as reference_video_urls; the sum of
    reference_video_durations must be at most 30; reference_audio_durations must have as many items as
    reference_audio_urls; the sum of reference_audio_durations must be at most 30.
    """
    duration: Literal[4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30]
    """Default: 5."""
    resolution: Literal["480p", "720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    generate_audio: bool
    seed: int
    watermark: bool
    max_credits: int
    reference_image_urls: List[str]
    reference_video_urls: List[str]
    reference_video_durations: List[int]
    reference_audio_urls: List[str]
    reference_audio_durations: List[int]


class _Delta26TextToVideo(TypedDict):
    model: Literal["delta-2.6"]
    prompt: str


class Delta26TextToVideo(_Delta26TextToVideo, total=False):
    """delta-2.6, text-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    mode: Literal["text-to-video"]
    duration: Literal[5, 10]
    """Default: 5."""
    resolution: Literal["720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    reference_image_urls: List[str]
    generate_audio: bool
    seed: int
    watermark: bool
    max_credits: int


class _Delta26ImageToVideo(TypedDict):
    model: Literal["delta-2.6"]
    mode: Literal["image-to-video"]
    prompt: str
    image_url: str


class Delta26ImageToVideo(_Delta26ImageToVideo, total=False):
    """delta-2.6, image-to-video.

    Not in the type: resolution is 1080p and generate_audio is false when end_image_url is given; prompt must have
    from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    duration: Literal[5, 10]
    """Default: 5."""
    resolution: Literal["720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    generate_audio: bool
    seed: int
    watermark: bool
    max_credits: int
    end_image_url: str


class _Delta30TextToVideo(TypedDict):
    model: Literal["delta-3.0"]
    prompt: str


class Delta30TextToVideo(_Delta30TextToVideo, total=False):
    """delta-3.0, text-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    mode: Literal["text-to-video"]
    duration: Literal[3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    """Default: 5."""
    resolution: Literal["720p", "1080p", "4k"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    reference_image_urls: List[str]
    generate_audio: bool
    seed: int
    watermark: bool
    max_credits: int


class _Delta30ImageToVideo(TypedDict):
    model: Literal["delta-3.0"]
    mode: Literal["image-to-video"]
    prompt: str
    image_url: str


class Delta30ImageToVideo(_Delta30ImageToVideo, total=False):
    """delta-3.0, image-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    duration: Literal[3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    """Default: 5."""
    resolution: Literal["720p", "1080p", "4k"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    generate_audio: bool
    seed: int
    watermark: bool
    max_credits: int
    end_image_url: str


class _Delta30TurboTextToVideo(TypedDict):
    model: Literal["delta-3.0-turbo"]
    prompt: str


class Delta30TurboTextToVideo(_Delta30TurboTextToVideo, total=False):
    """delta-3.0-turbo, text-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    mode: Literal["text-to-video"]
    duration: Literal[3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    """Default: 5."""
    resolution: Literal["720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    reference_image_urls: List[str]
    seed: int
    watermark: bool
    max_credits: int


class _Delta30TurboImageToVideo(TypedDict):
    model: Literal["delta-3.0-turbo"]
    mode: Literal["image-to-video"]
    prompt: str
    image_url: str


class Delta30TurboImageToVideo(_Delta30TurboImageToVideo, total=False):
    """delta-3.0-turbo, image-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    duration: Literal[3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    """Default: 5."""
    resolution: Literal["720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    seed: int
    watermark: bool
    max_credits: int


class _DeltaMotionControlMediaToVideo(TypedDict):
    model: Literal["delta-motion-control"]
    mode: Literal["media-to-video"]
    prompt: str
    reference_image_urls: List[str]
    reference_video_urls: List[str]
    reference_video_durations: List[int]


class DeltaMotionControlMediaToVideo(_DeltaMotionControlMediaToVideo, total=False):
    """delta-motion-control, media-to-video.

    Not in the type: reference_video_durations is given when reference_video_urls is given; prompt must have from 1
    to 7000 characters after trimming, counted as Unicode code points; reference_video_durations must have as many
    items as reference_video_urls; the sum of reference_video_durations must be at most 30; duration must be the
    sum of reference_video_durations.
    """
    duration: Literal[3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30]
    """Left out it is the sum of reference_video_durations."""
    resolution: Literal["720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    seed: int
    watermark: bool
    max_credits: int


class _DeltaV3OmniTextToVideo(TypedDict):
    model: Literal["delta-v3-omni"]
    prompt: str


class DeltaV3OmniTextToVideo(_DeltaV3OmniTextToVideo, total=False):
    """delta-v3-omni, text-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    mode: Literal["text-to-video"]
    duration: Literal[3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    """Default: 5."""
    resolution: Literal["720p", "1080p", "4k"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    generate_audio: bool
    seed: int
    watermark: bool
    max_credits: int


class _DeltaV3OmniImageToVideo(TypedDict):
    model: Literal["delta-v3-omni"]
    mode: Literal["image-to-video"]
    prompt: str
    image_url: str


class DeltaV3OmniImageToVideo(_DeltaV3OmniImageToVideo, total=False):
    """delta-v3-omni, image-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    duration: Literal[3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    """Default: 5."""
    resolution: Literal["720p", "1080p", "4k"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    generate_audio: bool
    seed: int
    watermark: bool
    max_credits: int
    end_image_url: str


class _DeltaV3OmniMediaToVideo(TypedDict):
    model: Literal["delta-v3-omni"]
    mode: Literal["media-to-video"]
    prompt: str


class DeltaV3OmniMediaToVideo(_DeltaV3OmniMediaToVideo, total=False):
    """delta-v3-omni, media-to-video.

    Not in the type: reference_image_urls is given or reference_video_urls is given; reference_video_durations is
    given when reference_video_urls is given; prompt must have from 1 to 7000 characters after trimming, counted as
    Unicode code points; reference_video_durations must have as many items as reference_video_urls; the sum of
    reference_video_durations must be at most 10.
    """
    duration: Literal[3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    """Default: 5."""
    resolution: Literal["720p", "1080p", "4k"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    generate_audio: bool
    seed: int
    watermark: bool
    max_credits: int
    reference_image_urls: List[str]
    reference_video_urls: List[str]
    reference_video_durations: List[int]


class _DeltaVideoO1TextToVideo(TypedDict):
    model: Literal["delta-video-o1"]
    prompt: str


class DeltaVideoO1TextToVideo(_DeltaVideoO1TextToVideo, total=False):
    """delta-video-o1, text-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    mode: Literal["text-to-video"]
    duration: Literal[5, 10]
    """Default: 5."""
    resolution: Literal["720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    seed: int
    watermark: bool
    max_credits: int


class _DeltaVideoO1ImageToVideo(TypedDict):
    model: Literal["delta-video-o1"]
    mode: Literal["image-to-video"]
    prompt: str
    image_url: str


class DeltaVideoO1ImageToVideo(_DeltaVideoO1ImageToVideo, total=False):
    """delta-video-o1, image-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    duration: Literal[5, 10]
    """Default: 5."""
    resolution: Literal["720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    seed: int
    watermark: bool
    max_credits: int
    end_image_url: str


class _DeltaVideoO1MediaToVideo(TypedDict):
    model: Literal["delta-video-o1"]
    mode: Literal["media-to-video"]
    prompt: str


class DeltaVideoO1MediaToVideo(_DeltaVideoO1MediaToVideo, total=False):
    """delta-video-o1, media-to-video.

    Not in the type: reference_image_urls is given or reference_video_urls is given; reference_video_durations is
    given when reference_video_urls is given; prompt must have from 1 to 7000 characters after trimming, counted as
    Unicode code points; reference_video_durations must have as many items as reference_video_urls; the sum of
    reference_video_durations must be at most 10.
    """
    duration: Literal[5, 10]
    """Default: 5."""
    resolution: Literal["720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    seed: int
    watermark: bool
    max_credits: int
    reference_image_urls: List[str]
    reference_video_urls: List[str]
    reference_video_durations: List[int]


class _Epsilon15TextToVideo(TypedDict):
    model: Literal["epsilon-1.5"]
    prompt: str


class Epsilon15TextToVideo(_Epsilon15TextToVideo, total=False):
    """epsilon-1.5, text-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    mode: Literal["text-to-video"]
    duration: Literal[6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    """Default: 6."""
    resolution: Literal["480p", "720p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    seed: int
    watermark: bool
    max_credits: int


class _Epsilon15ImageToVideo(TypedDict):
    model: Literal["epsilon-1.5"]
    mode: Literal["image-to-video"]
    prompt: str
    image_url: str


class Epsilon15ImageToVideo(_Epsilon15ImageToVideo, total=False):
    """epsilon-1.5, image-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    duration: Literal[6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    """Default: 6."""
    resolution: Literal["480p", "720p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    seed: int
    watermark: bool
    max_credits: int


class _Epsilon15MediaToVideo(TypedDict):
    model: Literal["epsilon-1.5"]
    mode: Literal["media-to-video"]
    prompt: str
    reference_image_urls: List[str]


class Epsilon15MediaToVideo(_Epsilon15MediaToVideo, total=False):
    """epsilon-1.5, media-to-video.

    Not in the type: reference_image_urls is given; prompt must have from 1 to 7000 characters after trimming,
    counted as Unicode code points.
    """
    duration: Literal[6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    """Default: 6."""
    resolution: Literal["480p", "720p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    seed: int
    watermark: bool
    max_credits: int


class _Eta25TextToVideo(TypedDict):
    model: Literal["eta-2.5"]
    prompt: str


class Eta25TextToVideo(_Eta25TextToVideo, total=False):
    """eta-2.5, text-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    mode: Literal["text-to-video"]
    duration: Literal[5, 10]
    """Default: 5."""
    resolution: Literal["480p", "720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    generate_audio: bool
    seed: int
    watermark: bool
    max_credits: int


class _Eta25ImageToVideo(TypedDict):
    model: Literal["eta-2.5"]
    mode: Literal["image-to-video"]
    prompt: str
    image_url: str


class Eta25ImageToVideo(_Eta25ImageToVideo, total=False):
    """eta-2.5, image-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    duration: Literal[5, 10]
    """Default: 5."""
    resolution: Literal["480p", "720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    generate_audio: bool
    seed: int
    watermark: bool
    max_credits: int


class _Eta25MediaToVideo(TypedDict):
    model: Literal["eta-2.5"]
    mode: Literal["media-to-video"]
    prompt: str


class Eta25MediaToVideo(_Eta25MediaToVideo, total=False):
    """eta-2.5, media-to-video.

    Not in the type: reference_image_urls is given or reference_audio_urls is given; reference_audio_durations is
    given when reference_audio_urls is given; prompt must have from 1 to 7000 characters after trimming, counted as
    Unicode code points; reference_audio_durations must have as many items as reference_audio_urls; the sum of
    reference_audio_durations must be at most 10.
    """
    duration: Literal[5, 10]
    """Default: 5."""
    resolution: Literal["480p", "720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    generate_audio: bool
    seed: int
    watermark: bool
    max_credits: int
    reference_image_urls: List[str]
    reference_audio_urls: List[str]
    reference_audio_durations: List[int]


class _Eta26TextToVideo(TypedDict):
    model: Literal["eta-2.6"]
    prompt: str


class Eta26TextToVideo(_Eta26TextToVideo, total=False):
    """eta-2.6, text-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    mode: Literal["text-to-video"]
    duration: Literal[5, 10, 15]
    """Default: 5."""
    resolution: Literal["720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    generate_audio: bool
    seed: int
    watermark: bool
    max_credits: int


class _Eta26ImageToVideo(TypedDict):
    model: Literal["eta-2.6"]
    mode: Literal["image-to-video"]
    prompt: str
    image_url: str


class Eta26ImageToVideo(_Eta26ImageToVideo, total=False):
    """eta-2.6, image-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    duration: Literal[5, 10, 15]
    """Default: 5."""
    resolution: Literal["720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    generate_audio: bool
    seed: int
    watermark: bool
    max_credits: int


class _Eta26MediaToVideo(TypedDict):
    model: Literal["eta-2.6"]
    mode: Literal["media-to-video"]
    prompt: str


class Eta26MediaToVideo(_Eta26MediaToVideo, total=False):
    """eta-2.6, media-to-video.

    Not in the type: reference_image_urls is given or reference_audio_urls is given; reference_audio_durations is
    given when reference_audio_urls is given; prompt must have from 1 to 7000 characters after trimming, counted as
    Unicode code points; reference_audio_durations must have as many items as reference_audio_urls; the sum of
    reference_audio_durations must be at most 15.
    """
    duration: Literal[5, 10, 15]
    """Default: 5."""
    resolution: Literal["720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    generate_audio: bool
    seed: int
    watermark: bool
    max_credits: int
    reference_image_urls: List[str]
    reference_audio_urls: List[str]
    reference_audio_durations: List[int]


class _Eta27TextToVideo(TypedDict):
    model: Literal["eta-2.7"]
    prompt: str


class Eta27TextToVideo(_Eta27TextToVideo, total=False):
    """eta-2.7, text-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    mode: Literal["text-to-video"]
    duration: Literal[2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    """Default: 5."""
    resolution: Literal["720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    seed: int
    watermark: bool
    max_credits: int


class _Eta27ImageToVideo(TypedDict):
    model: Literal["eta-2.7"]
    mode: Literal["image-to-video"]
    prompt: str
    image_url: str


class Eta27ImageToVideo(_Eta27ImageToVideo, total=False):
    """eta-2.7, image-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    duration: Literal[2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    """Default: 5."""
    resolution: Literal["720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    seed: int
    watermark: bool
    max_credits: int
    end_image_url: str


class _Eta27MediaToVideo(TypedDict):
    model: Literal["eta-2.7"]
    mode: Literal["media-to-video"]
    prompt: str


class Eta27MediaToVideo(_Eta27MediaToVideo, total=False):
    """eta-2.7, media-to-video.

    Not in the type: reference_image_urls is given or reference_video_urls is given or reference_audio_urls is
    given; reference_video_durations is given when reference_video_urls is given; reference_audio_durations is
    given when reference_audio_urls is given; prompt must have from 1 to 7000 characters after trimming, counted as
    Unicode code points; reference_video_durations must have as many items as reference_video_urls; the sum of
    reference_video_durations must be at most 10; reference_audio_durations must have as many items as
    reference_audio_urls; the sum of reference_audio_durations must be at most 30.
    """
    duration: Literal[2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    """Default: 5."""
    resolution: Literal["720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    seed: int
    watermark: bool
    max_credits: int
    reference_image_urls: List[str]
    reference_video_urls: List[str]
    reference_video_durations: List[int]
    reference_audio_urls: List[str]
    reference_audio_durations: List[int]


class _Eta30TextToVideo(TypedDict):
    model: Literal["eta-3.0"]
    prompt: str


class Eta30TextToVideo(_Eta30TextToVideo, total=False):
    """eta-3.0, text-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    mode: Literal["text-to-video"]
    duration: Literal[2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30]
    """Default: 5."""
    resolution: Literal["480p", "720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "1:1", "adaptive"]
    generate_audio: bool
    seed: int
    watermark: bool
    max_credits: int


class _Eta30ImageToVideo(TypedDict):
    model: Literal["eta-3.0"]
    mode: Literal["image-to-video"]
    prompt: str
    image_url: str


class Eta30ImageToVideo(_Eta30ImageToVideo, total=False):
    """eta-3.0, image-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    duration: Literal[2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30]
    """Default: 5."""
    resolution: Literal["480p", "720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "1:1", "adaptive"]
    generate_audio: bool
    seed: int
    watermark: bool
    max_credits: int
    end_image_url: str


class _Eta30MediaToVideo(TypedDict):
    model: Literal["eta-3.0"]
    mode: Literal["media-to-video"]
    prompt: str


class Eta30MediaToVideo(_Eta30MediaToVideo, total=False):
    """eta-3.0, media-to-video.

    Not in the type: reference_image_urls is given or reference_video_urls is given or reference_audio_urls is
    given; reference_video_durations is given when reference_video_urls is given; reference_audio_durations is
    given when reference_audio_urls is given; prompt must have from 1 to 7000 characters after trimming, counted as
    Unicode code points; reference_video_durations must have as many items as reference_video_urls; the sum of
    reference_video_durations must be at most 15; reference_audio_durations must have as many items as
    reference_audio_urls; the sum of reference_audio_durations must be at most 15; duration plus the sum of
    reference_video_durations must be at most 30.
    """
    duration: Literal[2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30]
    """Default: 5."""
    resolution: Literal["480p", "720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "1:1", "adaptive"]
    generate_audio: bool
    seed: int
    watermark: bool
    max_credits: int
    reference_image_urls: List[str]
    reference_video_urls: List[str]
    reference_video_durations: List[int]
    reference_audio_urls: List[str]
    reference_audio_durations: List[int]


class _Gamma31FastTextToVideo(TypedDict):
    model: Literal["gamma-3.1-fast"]
    prompt: str


class Gamma31FastTextToVideo(_Gamma31FastTextToVideo, total=False):
    """gamma-3.1-fast, text-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    mode: Literal["text-to-video"]
    duration: Literal[8]
    """Default: 8."""
    resolution: Literal["720p", "1080p", "4k"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    seed: int
    watermark: bool
    max_credits: int


class _Gamma31FastImageToVideo(TypedDict):
    model: Literal["gamma-3.1-fast"]
    mode: Literal["image-to-video"]
    prompt: str
    image_url: str


class Gamma31FastImageToVideo(_Gamma31FastImageToVideo, total=False):
    """gamma-3.1-fast, image-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    duration: Literal[8]
    """Default: 8."""
    resolution: Literal["720p", "1080p", "4k"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    seed: int
    watermark: bool
    max_credits: int
    end_image_url: str


class _Gamma31FastMediaToVideo(TypedDict):
    model: Literal["gamma-3.1-fast"]
    mode: Literal["media-to-video"]
    prompt: str
    reference_image_urls: List[str]


class Gamma31FastMediaToVideo(_Gamma31FastMediaToVideo, total=False):
    """gamma-3.1-fast, media-to-video.

    Not in the type: reference_image_urls is given; prompt must have from 1 to 7000 characters after trimming,
    counted as Unicode code points.
    """
    duration: Literal[8]
    """Default: 8."""
    resolution: Literal["720p", "1080p", "4k"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    seed: int
    watermark: bool
    max_credits: int


class _IotaQ3TurboTextToVideo(TypedDict):
    model: Literal["iota-q3-turbo"]
    prompt: str


class IotaQ3TurboTextToVideo(_IotaQ3TurboTextToVideo, total=False):
    """iota-q3-turbo, text-to-video.

    Not in the type: prompt must have from 1 to 2000 characters after trimming, counted as Unicode code points.
    """
    mode: Literal["text-to-video"]
    duration: Literal[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]
    """Default: 5."""
    resolution: Literal["540p", "720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "1:1"]
    reference_image_urls: List[str]
    generate_audio: bool
    seed: int
    watermark: bool
    max_credits: int


class _IotaQ3TurboImageToVideo(TypedDict):
    model: Literal["iota-q3-turbo"]
    mode: Literal["image-to-video"]
    prompt: str
    image_url: str


class IotaQ3TurboImageToVideo(_IotaQ3TurboImageToVideo, total=False):
    """iota-q3-turbo, image-to-video.

    Not in the type: prompt must have from 1 to 2000 characters after trimming, counted as Unicode code points.
    """
    duration: Literal[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]
    """Default: 5."""
    resolution: Literal["540p", "720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "1:1"]
    generate_audio: bool
    seed: int
    watermark: bool
    max_credits: int
    end_image_url: str


class _Kappa02TextToVideo(TypedDict):
    model: Literal["kappa-02"]
    prompt: str


class Kappa02TextToVideo(_Kappa02TextToVideo, total=False):
    """kappa-02, text-to-video.

    Not in the type: duration is 5 when resolution is 1080p; prompt must have from 1 to 7000 characters after
    trimming, counted as Unicode code points.
    """
    mode: Literal["text-to-video"]
    duration: Literal[5, 10]
    """Default: 5."""
    resolution: Literal["512p", "768p", "1080p"]
    """Default: 512p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    reference_image_urls: List[str]
    seed: int
    watermark: bool
    max_credits: int


class _Kappa02ImageToVideo(TypedDict):
    model: Literal["kappa-02"]
    mode: Literal["image-to-video"]
    prompt: str
    image_url: str


class Kappa02ImageToVideo(_Kappa02ImageToVideo, total=False):
    """kappa-02, image-to-video.

    Not in the type: duration is 5 when resolution is 1080p; prompt must have from 1 to 7000 characters after
    trimming, counted as Unicode code points.
    """
    duration: Literal[5, 10]
    """Default: 5."""
    resolution: Literal["512p", "768p", "1080p"]
    """Default: 512p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    seed: int
    watermark: bool
    max_credits: int
    end_image_url: str


class _Kappa23TextToVideo(TypedDict):
    model: Literal["kappa-2.3"]
    prompt: str


class Kappa23TextToVideo(_Kappa23TextToVideo, total=False):
    """kappa-2.3, text-to-video.

    Not in the type: duration is 6 when resolution is 1080p; prompt must have from 1 to 7000 characters after
    trimming, counted as Unicode code points.
    """
    mode: Literal["text-to-video"]
    duration: Literal[6, 10]
    """Default: 6."""
    resolution: Literal["768p", "1080p"]
    """Default: 768p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    reference_image_urls: List[str]
    seed: int
    watermark: bool
    max_credits: int


class _Kappa23ImageToVideo(TypedDict):
    model: Literal["kappa-2.3"]
    mode: Literal["image-to-video"]
    prompt: str
    image_url: str


class Kappa23ImageToVideo(_Kappa23ImageToVideo, total=False):
    """kappa-2.3, image-to-video.

    Not in the type: duration is 6 when resolution is 1080p; prompt must have from 1 to 7000 characters after
    trimming, counted as Unicode code points.
    """
    duration: Literal[6, 10]
    """Default: 6."""
    resolution: Literal["768p", "1080p"]
    """Default: 768p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    seed: int
    watermark: bool
    max_credits: int


class _Kappa23FastImageToVideo(TypedDict):
    model: Literal["kappa-2.3-fast"]
    mode: Literal["image-to-video"]
    prompt: str
    image_url: str


class Kappa23FastImageToVideo(_Kappa23FastImageToVideo, total=False):
    """kappa-2.3-fast, image-to-video.

    Not in the type: duration is 6 when resolution is 1080p; prompt must have from 1 to 7000 characters after
    trimming, counted as Unicode code points.
    """
    duration: Literal[6, 10]
    """Default: 6."""
    resolution: Literal["768p", "1080p"]
    """Default: 768p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    seed: int
    watermark: bool
    max_credits: int


class _LambdaV6TextToVideo(TypedDict):
    model: Literal["lambda-v6"]
    prompt: str


class LambdaV6TextToVideo(_LambdaV6TextToVideo, total=False):
    """lambda-v6, text-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    mode: Literal["text-to-video"]
    duration: Literal[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    """Default: 5."""
    resolution: Literal["360p", "540p", "720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    generate_audio: bool
    seed: int
    watermark: bool
    max_credits: int


class _LambdaV6ImageToVideo(TypedDict):
    model: Literal["lambda-v6"]
    mode: Literal["image-to-video"]
    prompt: str
    image_url: str


class LambdaV6ImageToVideo(_LambdaV6ImageToVideo, total=False):
    """lambda-v6, image-to-video.

    Not in the type: duration is 5 or 8 when end_image_url is given; prompt must have from 1 to 7000 characters
    after trimming, counted as Unicode code points.
    """
    duration: Literal[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    """Default: 5."""
    resolution: Literal["360p", "540p", "720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    generate_audio: bool
    seed: int
    watermark: bool
    max_credits: int
    end_image_url: str


class _LambdaV6MediaToVideo(TypedDict):
    model: Literal["lambda-v6"]
    mode: Literal["media-to-video"]
    prompt: str
    reference_image_urls: List[str]


class LambdaV6MediaToVideo(_LambdaV6MediaToVideo, total=False):
    """lambda-v6, media-to-video.

    Not in the type: reference_image_urls is given; prompt must have from 1 to 7000 characters after trimming,
    counted as Unicode code points.
    """
    duration: Literal[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    """Default: 5."""
    resolution: Literal["360p", "540p", "720p", "1080p"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    generate_audio: bool
    seed: int
    watermark: bool
    max_credits: int


class _ThetaOmni11FlashTextToVideo(TypedDict):
    model: Literal["theta-omni-1.1-flash"]
    prompt: str


class ThetaOmni11FlashTextToVideo(_ThetaOmni11FlashTextToVideo, total=False):
    """theta-omni-1.1-flash, text-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    mode: Literal["text-to-video"]
    duration: Literal[10]
    """Default: 10."""
    resolution: Literal["360p", "720p", "1080p", "4k"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16"]
    watermark: bool
    max_credits: int


class _ThetaOmni11FlashImageToVideo(TypedDict):
    model: Literal["theta-omni-1.1-flash"]
    mode: Literal["image-to-video"]
    prompt: str
    image_url: str


class ThetaOmni11FlashImageToVideo(_ThetaOmni11FlashImageToVideo, total=False):
    """theta-omni-1.1-flash, image-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    duration: Literal[10]
    """Default: 10."""
    resolution: Literal["360p", "720p", "1080p", "4k"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16"]
    watermark: bool
    max_credits: int
    end_image_url: str


class _ThetaOmni11FlashMediaToVideo(TypedDict):
    model: Literal["theta-omni-1.1-flash"]
    mode: Literal["media-to-video"]
    prompt: str


class ThetaOmni11FlashMediaToVideo(_ThetaOmni11FlashMediaToVideo, total=False):
    """theta-omni-1.1-flash, media-to-video.

    Not in the type: reference_image_urls is given or reference_video_urls is given; reference_video_durations is
    given when reference_video_urls is given; prompt must have from 1 to 7000 characters after trimming, counted as
    Unicode code points; reference_video_durations must have as many items as reference_video_urls; the sum of
    reference_video_durations must be at most 10.
    """
    duration: Literal[10]
    """Default: 10."""
    resolution: Literal["360p", "720p", "1080p", "4k"]
    """Default: 720p."""
    aspect_ratio: Literal["16:9", "9:16"]
    watermark: bool
    max_credits: int
    reference_image_urls: List[str]
    reference_video_urls: List[str]
    reference_video_durations: List[int]


class _Zeta3VideoTextToVideo(TypedDict):
    model: Literal["zeta-3-video"]
    prompt: str


class Zeta3VideoTextToVideo(_Zeta3VideoTextToVideo, total=False):
    """zeta-3-video, text-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    mode: Literal["text-to-video"]
    duration: Literal[5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]
    """Default: 5."""
    resolution: Literal["hd", "fhd"]
    """Default: hd."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    generate_audio: bool
    seed: int
    watermark: bool
    max_credits: int


class _Zeta3VideoImageToVideo(TypedDict):
    model: Literal["zeta-3-video"]
    mode: Literal["image-to-video"]
    prompt: str
    image_url: str


class Zeta3VideoImageToVideo(_Zeta3VideoImageToVideo, total=False):
    """zeta-3-video, image-to-video.

    Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as Unicode code points.
    """
    duration: Literal[5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]
    """Default: 5."""
    resolution: Literal["hd", "fhd"]
    """Default: hd."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    generate_audio: bool
    seed: int
    watermark: bool
    max_credits: int
    end_image_url: str


class _Zeta3VideoMediaToVideo(TypedDict):
    model: Literal["zeta-3-video"]
    mode: Literal["media-to-video"]
    prompt: str


class Zeta3VideoMediaToVideo(_Zeta3VideoMediaToVideo, total=False):
    """zeta-3-video, media-to-video.

    Not in the type: reference_image_urls is given or reference_video_urls is given; reference_video_durations is
    given when reference_video_urls is given; prompt must have from 1 to 7000 characters after trimming, counted as
    Unicode code points; reference_video_durations must have as many items as reference_video_urls; the sum of
    reference_video_durations must be at most 20.
    """
    duration: Literal[5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]
    """Default: 5."""
    resolution: Literal["hd", "fhd"]
    """Default: hd."""
    aspect_ratio: Literal["16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "2:1", "21:9", "1:1", "adaptive"]
    generate_audio: bool
    seed: int
    watermark: bool
    max_credits: int
    reference_image_urls: List[str]
    reference_video_urls: List[str]
    reference_video_durations: List[int]


AlphaH3Request = Union[
    AlphaH3TextToVideo,
    AlphaH3ImageToVideo,
    AlphaH3MediaToVideo,
]


AlphaH3FastRequest = Union[
    AlphaH3FastTextToVideo,
    AlphaH3FastImageToVideo,
    AlphaH3FastMediaToVideo,
]


AlphaH3MaxRequest = Union[
    AlphaH3MaxTextToVideo,
    AlphaH3MaxImageToVideo,
]


Beta10LiteRequest = Union[
    Beta10LiteTextToVideo,
    Beta10LiteImageToVideo,
]


Beta10ProRequest = Union[
    Beta10ProTextToVideo,
    Beta10ProImageToVideo,
]


Beta15ProRequest = Union[
    Beta15ProTextToVideo,
    Beta15ProImageToVideo,
]


Beta20Request = Union[
    Beta20TextToVideo,
    Beta20ImageToVideo,
    Beta20MediaToVideo,
]


Beta20FastRequest = Union[
    Beta20FastTextToVideo,
    Beta20FastImageToVideo,
    Beta20FastMediaToVideo,
]


Beta20MiniRequest = Union[
    Beta20MiniTextToVideo,
    Beta20MiniImageToVideo,
    Beta20MiniMediaToVideo,
]


Beta25Request = Union[
    Beta25TextToVideo,
    Beta25ImageToVideo,
    Beta25MediaToVideo,
]


Delta26Request = Union[
    Delta26TextToVideo,
    Delta26ImageToVideo,
]


Delta30Request = Union[
    Delta30TextToVideo,
    Delta30ImageToVideo,
]


Delta30TurboRequest = Union[
    Delta30TurboTextToVideo,
    Delta30TurboImageToVideo,
]


DeltaMotionControlRequest = DeltaMotionControlMediaToVideo


DeltaV3OmniRequest = Union[
    DeltaV3OmniTextToVideo,
    DeltaV3OmniImageToVideo,
    DeltaV3OmniMediaToVideo,
]


DeltaVideoO1Request = Union[
    DeltaVideoO1TextToVideo,
    DeltaVideoO1ImageToVideo,
    DeltaVideoO1MediaToVideo,
]


Epsilon15Request = Union[
    Epsilon15TextToVideo,
    Epsilon15ImageToVideo,
    Epsilon15MediaToVideo,
]


Eta25Request = Union[
    Eta25TextToVideo,
    Eta25ImageToVideo,
    Eta25MediaToVideo,
]


Eta26Request = Union[
    Eta26TextToVideo,
    Eta26ImageToVideo,
    Eta26MediaToVideo,
]


Eta27Request = Union[
    Eta27TextToVideo,
    Eta27ImageToVideo,
    Eta27MediaToVideo,
]


Eta30Request = Union[
    Eta30TextToVideo,
    Eta30ImageToVideo,
    Eta30MediaToVideo,
]


Gamma31FastRequest = Union[
    Gamma31FastTextToVideo,
    Gamma31FastImageToVideo,
    Gamma31FastMediaToVideo,
]


IotaQ3TurboRequest = Union[
    IotaQ3TurboTextToVideo,
    IotaQ3TurboImageToVideo,
]


Kappa02Request = Union[
    Kappa02TextToVideo,
    Kappa02ImageToVideo,
]


Kappa23Request = Union[
    Kappa23TextToVideo,
    Kappa23ImageToVideo,
]


Kappa23FastRequest = Kappa23FastImageToVideo


LambdaV6Request = Union[
    LambdaV6TextToVideo,
    LambdaV6ImageToVideo,
    LambdaV6MediaToVideo,
]


ThetaOmni11FlashRequest = Union[
    ThetaOmni11FlashTextToVideo,
    ThetaOmni11FlashImageToVideo,
    ThetaOmni11FlashMediaToVideo,
]


Zeta3VideoRequest = Union[
    Zeta3VideoTextToVideo,
    Zeta3VideoImageToVideo,
    Zeta3VideoMediaToVideo,
]


VideoGenerationRequest = Union[
    AlphaH3Request,
    AlphaH3FastRequest,
    AlphaH3MaxRequest,
    Beta10LiteRequest,
    Beta10ProRequest,
    Beta15ProRequest,
    Beta20Request,
    Beta20FastRequest,
    Beta20MiniRequest,
    Beta25Request,
    Delta26Request,
    Delta30Request,
    Delta30TurboRequest,
    DeltaMotionControlRequest,
    DeltaV3OmniRequest,
    DeltaVideoO1Request,
    Epsilon15Request,
    Eta25Request,
    Eta26Request,
    Eta27Request,
    Eta30Request,
    Gamma31FastRequest,
    IotaQ3TurboRequest,
    Kappa02Request,
    Kappa23Request,
    Kappa23FastRequest,
    LambdaV6Request,
    ThetaOmni11FlashRequest,
    Zeta3VideoRequest,
]


ModelId = Literal[
    "alpha-h3",
    "alpha-h3-fast",
    "alpha-h3-max",
    "beta-1.0-lite",
    "beta-1.0-pro",
    "beta-1.5-pro",
    "beta-2.0",
    "beta-2.0-fast",
    "beta-2.0-mini",
    "beta-2.5",
    "delta-2.6",
    "delta-3.0",
    "delta-3.0-turbo",
    "delta-motion-control",
    "delta-v3-omni",
    "delta-video-o1",
    "epsilon-1.5",
    "eta-2.5",
    "eta-2.6",
    "eta-2.7",
    "eta-3.0",
    "gamma-3.1-fast",
    "iota-q3-turbo",
    "kappa-02",
    "kappa-2.3",
    "kappa-2.3-fast",
    "lambda-v6",
    "theta-omni-1.1-flash",
    "zeta-3-video",
]
