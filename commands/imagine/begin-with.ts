import type { AttachedFile } from '../../src/jobs/input.ts';
import { UserError } from '../../src/messages/user-error.ts';
import type { ImagineOptions } from '../../src/requests/imagine-options.ts';
import { offersFor } from '../../src/requests/offers.ts';
import { checkOwnPictures, ownPicture } from './inputs.ts';
import type { Invocation } from './invocation.ts';
import { draftButton, keepTyped, orKeep } from './keep-typed.ts';
import { request } from './request.ts';
import { readRules } from './rules.ts';

/**
 * Makes a picture from the one that was attached. Where that one cannot be used, the words are kept, to be sent with
 * another.
 */
export async function beginWith(
  invocation: Invocation,
  options: ImagineOptions,
  file: AttachedFile,
  { withGraph = false, graphName }: { withGraph?: boolean; graphName?: string | undefined } = {},
): Promise<void> {
  const { texts, context } = invocation;
  const input = await orKeep(invocation, options, { lacksPicture: true, graphName }, async () => {
    if (withGraph || graphName !== undefined) throw new UserError(texts.source.withGraph);
    const rules = await readRules(invocation);
    checkOwnPictures(invocation, rules);
    if (offersFor('edit', context.offers.of(rules.settings.workflows)).length === 0)
      throw await wordsAlone(invocation, options);
    return ownPicture(file, texts);
  });
  await request(invocation, { ...options, source: { operation: 'edit', input } });
}

/** The refusal where no picture can be changed: what was typed is kept without it. */
async function wordsAlone(
  invocation: Invocation,
  { strength: _, ...words }: ImagineOptions,
): Promise<UserError> {
  const { source } = invocation.texts;
  const isKept = await keepTyped(invocation, words, {});
  return new UserError(source.wordsAlone, {
    nextSteps: isKept ? [draftButton(invocation, { label: source.withoutPicture })] : [],
    isKept,
  });
}
