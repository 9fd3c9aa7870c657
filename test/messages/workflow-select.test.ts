import { ComponentType } from 'discord.js';
import { expect, test } from 'vitest';
import { workflowSelect } from '../../src/messages/form-fields.ts';
import { en } from '../../src/messages/locale/en.ts';

const offers = Array.from({ length: 30 }, (_, nth) => ({ name: `workflow-${nth}` }));

/** What the menu has, and what is picked in it. */
function menuFor(workflow: string | undefined) {
  const { component } = workflowSelect(workflow, offers, en);
  if (component.type !== ComponentType.StringSelect) throw new Error(`${component.type}`);
  const { options } = component;
  return {
    values: new Set(options.map(({ value }) => value)),
    picked: options.flatMap((option) => (option.default ? option.value : [])),
  };
}

test.each(['workflow-3', 'workflow-23', 'workflow-24', 'workflow-29'])(
  'of more workflows than a menu holds %s is there where it was asked for',
  (workflow) => {
    const { values, picked } = menuFor(workflow);
    expect(values.size).toBe(25);
    expect(picked).toEqual([workflow]);
  },
);

test('a workflow that is offered no more is not picked', () => {
  expect(menuFor('workflow-30').picked).toEqual(menuFor(undefined).picked);
});
