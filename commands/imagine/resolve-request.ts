import type { Submission } from '@darkroom/image-api';
import type { Input } from '../../src/jobs/input.ts';
import { readOrNote, refuseAll } from '../../src/messages/user-error.ts';
import { type ImagineOptions, MAX_PICTURES } from '../../src/requests/imagine-options.ts';
import type { MemberDefaults } from '../../src/requests/member-settings.ts';
import { expandPermutations, hasUnclosedBrace } from '../../src/requests/permutations.ts';
import { readTyped } from '../../src/requests/typed-options.ts';
import { checkDrawn } from './check-drawn.ts';
import type { Invocation } from './invocation.ts';
import type { Rules } from './rules.ts';
import { graphSubmission, sourceSubmission, wordsSubmission } from './submissions.ts';

export type ResolvedRequest = Awaited<ReturnType<typeof resolveRequest>>;

/**
 * Reads what was typed, with what is decided where it says nothing. `exact`: what it leaves out is left out on
 * purpose, so the member's own defaults are not for it. Rejects with `UserError` for what is wrong, or not allowed
 * here.
 */
export async function resolveRequest(
  invocation: Invocation,
  typed: ImagineOptions,
  given: Rules,
  { exact }: { exact: boolean },
) {
  const { texts, context } = invocation;
  const rules = exact ? { ...given, own: { ...given.own, defaults: {} } } : given;
  const own: MemberDefaults = rules.own.defaults;
  const { options: all, wrong } = readTyped(typed, texts, context.offers.of(rules.settings.workflows));
  const { count: asked, private: hidden, spoiler, graph, source, ...options } = all;
  if (hasUnclosedBrace(options.prompt)) wrong.push(texts.typed.unclosedBrace);
  const { total, prompts } = expandPermutations(options.prompt, MAX_PICTURES);
  const several = total > 1;
  const each = asked ?? (several ? 1 : (own.count ?? 1));
  const isCount = Number.isInteger(each) && each >= 1 && each <= MAX_PICTURES;
  const count = isCount ? each * total : total;
  if (!isCount) wrong.push(texts.refusal.integerRange('count', 1, MAX_PICTURES));
  if (options.strength !== undefined && !source) wrong.push(texts.source.strengthAlone);
  if (source && graph) wrong.push(texts.source.withGraph);
  if (count > MAX_PICTURES) wrong.push(texts.typed.tooManyPictures(count, MAX_PICTURES));

  function submit(prompt: string): { submission: Submission; input?: Input } {
    const words = { ...options, prompt };
    if (source) return sourceSubmission(invocation, words, source, rules);
    return {
      submission: graph
        ? graphSubmission(invocation, words, graph, rules)
        : wordsSubmission(invocation, words, rules),
    };
  }
  const [prompt = options.prompt, ...others] = prompts;
  const submissions = readOrNote(() => [prompt, ...others].map(submit), wrong);
  refuseAll(wrong);
  const [{ submission, input } = submit(prompt)] = submissions ?? [];
  const tasks = (submissions ?? []).map(({ submission: { prompt: words, seed = 0 } }) => ({
    seed,
    prompt: typeof words === 'string' ? words : undefined,
  }));
  const inspected = { submission, graph, input, tasks, count };
  const { batch, description } = await checkDrawn(invocation, inspected, rules);
  return {
    submission: several ? { ...submission, prompt: options.prompt } : submission,
    graph,
    input,
    /** The words of each picture where they differ: of as many as there are, one after the other. */
    prompts: several ? prompts : undefined,
    count,
    /** How many pictures are drawn for `count` of them: a graph may draw several of which one is shown. */
    picturesDrawn: count * batch,
    description,
    private: input?.private ?? hidden ?? own.private ?? rules.settings.privateByDefault,
    spoiler: spoiler ?? own.spoiler ?? false,
  };
}
