/**
 * A program around DashScope's own client: each step of `steps.json` is a call of it, and `answers.json` is what it gave. A step with `of`
 * is about the task of an earlier one.
 */
export const program = `import json

from dashscope import VideoSynthesis


def answer_to(step, answers):
    given = dict(step["given"])
    if "of" in step:
        given["task"] = answers[step["of"]]["output"]["task_id"]
    try:
        answer = getattr(VideoSynthesis, step["call"])(**given)
    except Exception as error:
        return {"raised": type(error).__name__}
    return {"status": answer.status_code, "code": answer.code, "output": answer.output, "usage": answer.usage}


with open("steps.json") as file:
    steps = json.load(file)
answers = {}
for step in steps:
    answers[step["name"]] = answer_to(step, answers)
with open("answers.json", "w") as file:
    json.dump(answers, file)
`
