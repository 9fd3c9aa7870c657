import { readFile } from 'node:fs/promises';
import { PermissionFlagsBits, PermissionsBitField } from 'discord.js';
import { expect, test } from 'vitest';
import { inviteUrl, missingToPost, NEEDED_PERMISSIONS } from '../../src/bot/permissions.ts';

const ID = '123456789012345678';

test('the invite asks for the permissions that are needed, and for no others', () => {
  const query = new URL(inviteUrl(ID)).searchParams;
  expect(query.get('client_id')).toBe(ID);
  expect(query.get('scope')?.split(' ')).toEqual(['bot', 'applications.commands']);
  const requested = new PermissionsBitField(BigInt(query.get('permissions') ?? ''));
  expect(requested.toArray().toSorted()).toEqual([...NEEDED_PERMISSIONS].toSorted());
  expect(requested.has(PermissionFlagsBits.Administrator, false)).toBe(false);
});

test('the invite in the README is the same', async () => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  const permissions = new URL(inviteUrl(ID)).searchParams.get('permissions');
  expect(readme).toContain(`permissions=${permissions}\n`);
});

test.each(['SendMessages', 'SendMessagesInThreads'] as const)(
  '%s is enough to send, because only one of the two counts, in a thread or outside',
  (may) => {
    const held = new PermissionsBitField([...NEEDED_PERMISSIONS]).remove([
      'SendMessages',
      'SendMessagesInThreads',
    ]);
    expect(missingToPost(held)).toEqual(['SendMessages']);
    expect(missingToPost(held.add(may))).toEqual([]);
    expect(missingToPost(held.remove('AttachFiles', 'ViewChannel'))).toEqual(['ViewChannel', 'AttachFiles']);
  },
);
