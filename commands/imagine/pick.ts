import { type APIStringSelectComponent, ComponentType } from 'discord.js';
import type { SelectOptions } from '../../src/bot/command.ts';
import { completedTasks, type Job } from '../../src/jobs/job.ts';
import { customId } from '../../src/messages/buttons.ts';
import { OPTION_CHARACTERS } from '../../src/messages/form-fields.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import { truncate } from '../../src/messages/message.ts';
import { UserError } from '../../src/messages/user-error.ts';
import { detailsOf } from './details.ts';
import { editButton } from './edit.ts';
import type { Invocation } from './invocation.ts';
import { inputPictureOf, pictureActionsOf, rowsOfActions } from './picture-actions.ts';
import { pictureFile } from './picture-file.ts';
import { postAloneButton } from './post-alone.ts';
import { checkNotRemoved, shownJob } from './shown-job.ts';
import { varyButton } from './vary.ts';

/** Of several pictures: which one. Where their words differ, they stand with them. */
export function pickMenu(job: Job, { actions }: Texts): APIStringSelectComponent {
  const completed = completedTasks(job);
  return {
    type: ComponentType.StringSelect,
    custom_id: customId('imagine', 'pick', job.id),
    placeholder: actions.pick,
    options: completed.map((task, index) => {
      const words = job.tasks[task]?.prompt?.trim();
      return {
        label: actions.nth(index + 1),
        value: `${task}`,
        ...(words && { description: truncate(words, OPTION_CHARACTERS) }),
      };
    }),
  };
}

/** Shows the picture alone to who picked it, with what made it and what can be done with it. */
export async function showPicked(invocation: Invocation<SelectOptions>): Promise<void> {
  const { options, reply, texts } = invocation;
  const task = Number(options.values[0]);
  const job = await shownJob(invocation, options.args[0]);
  await checkNotRemoved(invocation, job, { task });
  if (!completedTasks(job).includes(task)) throw new UserError(texts.actions.gone);
  await reply.acknowledge();
  const details = await detailsOf(invocation, job, task);
  const actions = await pictureActionsOf(invocation, await inputPictureOf(invocation, job.id, `${task}`));
  const rows = rowsOfActions(actions, {
    alone: job.private ? undefined : postAloneButton(job.id, task, texts),
    vary: varyButton(job.id, task, undefined, texts),
    edit: actions.edits ? editButton(job.id, texts, task) : undefined,
  });
  const files = await pictureFile(invocation, job, task);
  await reply.followUp(
    { ...details, rows, files: [...files, ...(details.files ?? [])] },
    { ephemeral: true },
  );
}
