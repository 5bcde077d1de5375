set -euo pipefail
npx filmgate webhooks create "$WEBHOOK_URL" --event task.completed --event task.failed
