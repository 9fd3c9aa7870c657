import { promptText } from '../../src/delivery/prompt-text.ts';
import type { Job } from '../../src/jobs/job.ts';
import { button, customId } from '../../src/messages/buttons.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import { MESSAGE_LIMITS, type Message, verbatim } from '../../src/messages/message.ts';
import type { Invocation } from './invocation.ts';
import { shownJob } from './shown-job.ts';

export const showPromptButton = (jobId: string, { outcome }: Texts) =>
  button.secondary(outcome.showPrompt, customId('imagine', 'prompt', jobId));

/** Everything that was asked for in words, to who asks: in the message, or as a file where it does not fit. */
export async function showPrompt(invocation: Invocation<readonly string[]>): Promise<void> {
  const { options, reply, texts } = invocation;
  const job = await shownJob(invocation, options[0]);
  await reply.replyEphemeral(promptMessage(job, texts));
}

function promptMessage(job: Job, texts: Texts): Message {
  const all = job.tasks.map((_, task) => promptText(job, texts, task));
  const prompts = [...new Set(all)].join('\n\n');
  const without = job.submission.negative_prompt?.trim();
  const { outcome, picture } = texts;
  const parts = [
    verbatim(prompts),
    ...(without ? [`**${picture.negativePrompt}** ${verbatim(without)}`] : []),
  ];
  const description = parts.join('\n\n');
  if (description.length <= MESSAGE_LIMITS.embedDescription) return { embeds: [{ description }] };
  const text = [prompts, ...(without ? [`${picture.negativePrompt}: ${without}`] : [])].join('\n\n');
  return { files: [{ name: 'prompt.txt', bytes: Buffer.from(text), alt: outcome.promptFile }] };
}
