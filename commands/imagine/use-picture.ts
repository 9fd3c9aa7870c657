import { type APIStringSelectComponent, ComponentType } from 'discord.js';
import type { FormOptions, MessageCommand, SelectOptions } from '../../src/bot/command.ts';
import type { AttachedFile, Input } from '../../src/jobs/input.ts';
import { completedTasks } from '../../src/jobs/job.ts';
import { button, customId, menuRow, rowsOf } from '../../src/messages/buttons.ts';
import { foreignText } from '../../src/messages/foreign-text.ts';
import { OPTION_CHARACTERS } from '../../src/messages/form-fields.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import { type Message, truncate } from '../../src/messages/message.ts';
import { UserError } from '../../src/messages/user-error.ts';
import type { ImagineOptions } from '../../src/requests/imagine-options.ts';
import { editButton } from './edit.ts';
import { readEditForm, showEditForm } from './edit-form.ts';
import { checkOwnPictures, isOfBlocked, ownPicture, problemWith, withOrigin } from './inputs.ts';
import type { Feature, Invocation } from './invocation.ts';
import { orKeep } from './keep-typed.ts';
import { inMenu, jobIdOfMessage } from './message-commands.ts';
import { pickMenu } from './pick.ts';
import { inputPictureOf, OWN, pictureActionsOf, rowsOfActions } from './picture-actions.ts';
import { fileToBring } from './picture-file.ts';
import { request } from './request.ts';
import { checkPlace, readRules } from './rules.ts';
import { checkNotRemoved, noteIfAlone, shownJob, taskIn } from './shown-job.ts';

/** As many as a member can pick from. */
const MOST_PICTURES = 10;

/** In the menu of a message: what can be made of the pictures in it. */
export const usePicture: MessageCommand<Feature> = {
  data: inMenu('use'),
  async run(invocation) {
    const { options, caller, reply, texts, context } = invocation;
    const jobId = jobIdOfMessage(invocation);
    if (jobId !== undefined) return reply.answer(describeJob({ ...invocation, message: options }, jobId));
    const rules = await readRules(invocation);
    checkPlace(invocation, rules);
    checkOwnPictures(invocation, rules);
    if (await context.guilds.blockedMembers.find(caller.guildId, options.authorId))
      throw new UserError(texts.source.ofBlocked);
    const pictures = options.files.filter(({ contentType }) => contentType?.startsWith('image/'));
    const files = pictures.filter((file) => problemWith(file, texts) === undefined).slice(0, MOST_PICTURES);
    const chosen = files.length > 0 ? files : pictures.slice(0, 1);
    if (chosen.length === 0) throw new UserError(texts.source.noneHere);
    const { id } = caller.interaction;
    const hidden = options.ephemeral;
    const found = {
      ...(hidden && { private: true as const }),
      ...(options.authorId !== caller.member.id && { postedBy: options.authorId }),
    };
    await Promise.all(chosen.map((file, place) => keep(invocation, `${id}.${place}`, file, found)));
    await reply.answer(
      chosen.length === 1
        ? describe(invocation, `${id}.0`)
        : Promise.resolve({ content: texts.source.which, rows: [menuRow(menuOf(id, files))] }),
    );
  },
};

export async function showUsed(invocation: Invocation<SelectOptions>): Promise<void> {
  const { options, reply } = invocation;
  const [id = ''] = options.args;
  await reply.update(await describe(invocation, `${id}.${options.values[0]}`));
}

/** Of a picture of ours: like one that is picked. */
async function describeJob(invocation: Invocation, jobId: string): Promise<Message> {
  const { texts } = invocation;
  const job = await shownJob(invocation, jobId);
  const task = taskIn(invocation, job);
  if (task !== undefined) noteIfAlone(invocation, job, task);
  await checkNotRemoved(invocation, job, { task });
  if (completedTasks(job).length === 0) throw new UserError(texts.actions.noPicture);
  if (task === undefined) return { content: texts.source.which, rows: [menuRow(pickMenu(job, texts))] };
  const picture = await inputPictureOf(invocation, jobId, `${task}`);
  if (await isOfBlocked(invocation, await withOrigin(invocation, picture)))
    throw new UserError(texts.source.ofBlocked);
  const actions = await pictureActionsOf(invocation, picture);
  const edit = actions.edits ? editButton(jobId, texts, task) : undefined;
  const rows = rowsOfActions(actions, { edit });
  if (rows.length === 0) throw new UserError(texts.source.notOffered.edit([]));
  return { content: texts.source.what(), rows, files: await fileToBring(invocation, job, task) };
}

async function keep(
  { caller, texts, context }: Invocation,
  id: string,
  file: AttachedFile,
  found: Pick<Input, 'private' | 'postedBy'>,
): Promise<void> {
  const input = { ...ownPicture(file, texts), ...found };
  const options: ImagineOptions = { prompt: '', source: { operation: 'edit', input } };
  if (!(await context.requests.drafts.put(id, caller.member.id, { options })))
    throw new UserError(texts.confirm.notKept);
}

const menuOf = (id: string, files: readonly AttachedFile[]): APIStringSelectComponent => ({
  type: ComponentType.StringSelect,
  custom_id: customId('imagine', 'use', id),
  options: files.map(({ name }, place) => ({
    label: truncate(`${place + 1}. ${name}`, OPTION_CHARACTERS),
    value: `${place}`,
  })),
});

/** What can be made of a picture that was kept. */
async function describe(invocation: Invocation, draftId: string): Promise<Message> {
  const { texts } = invocation;
  const picture = await inputPictureOf(invocation, draftId, OWN);
  const actions = await pictureActionsOf(invocation, picture);
  const change = actions.edits ? rowsOf(changeButton(draftId, texts)) : [];
  const rows = [...change, ...rowsOfActions(actions, {})];
  if (rows.length === 0) throw new UserError(texts.source.notOffered.edit([]));
  return { content: texts.source.what(foreignText(picture.input.file?.name ?? '')), rows };
}

/** Of a picture of one's own, kept as a draft. */
const changeButton = (draftId: string, { source }: Texts) =>
  button.primary(source.change, customId('imagine', 'change', draftId));

/** Opens the form in which words say what a picture of one's own becomes. */
export async function openChangeForm(invocation: Invocation<readonly string[]>): Promise<void> {
  const [draftId = ''] = invocation.options;
  await inputPictureOf(invocation, draftId, OWN);
  const { title } = invocation.texts.source.form;
  await showEditForm(invocation, customId('imagine', 'change', draftId), { prompt: '' }, { title });
}

export async function submitChangeForm(invocation: Invocation<FormOptions>): Promise<void> {
  const [draftId = ''] = invocation.options.args;
  const words = readEditForm(invocation);
  const picture = () => inputPictureOf(invocation, draftId, OWN);
  const { input } = await orKeep(invocation, words, { lacksPicture: true }, picture);
  await request(invocation, { ...words, source: { operation: 'edit', input } });
}
