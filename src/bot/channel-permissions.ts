import { OverwriteType, PermissionFlagsBits, PermissionsBitField } from 'discord.js';
import { z } from 'zod';

const bits = z.string().transform((text) => BigInt(text));

/** What Discord tells of a server's roles, a member and a channel, as far as it decides what the member may there. */
export const roles = z.array(z.object({ id: z.string(), permissions: bits }));
export const member = z.object({ user: z.object({ id: z.string() }), roles: z.array(z.string()) });
export const channel = z.object({
  permission_overwrites: z
    .array(z.object({ id: z.string(), type: z.enum(OverwriteType), allow: bits, deny: bits }))
    .default([]),
});

/** What a member may in a channel. Source: Discord's documentation, "Permissions", permission overwrites. */
export function channelPermissions(
  guildId: string,
  {
    roles: all,
    member: { user, roles: held },
    channel: { permission_overwrites: overwrites },
  }: {
    roles: z.output<typeof roles>;
    member: z.output<typeof member>;
    channel: z.output<typeof channel>;
  },
): bigint {
  const granted = all
    .filter(({ id }) => id === guildId || held.includes(id))
    .reduce((sum, { permissions }) => sum | permissions, 0n);
  if ((granted & PermissionFlagsBits.Administrator) !== 0n) return PermissionsBitField.All;
  const layers = [
    overwrites.filter(({ id }) => id === guildId),
    overwrites.filter(({ id, type }) => type === OverwriteType.Role && id !== guildId && held.includes(id)),
    overwrites.filter(({ id, type }) => type === OverwriteType.Member && id === user.id),
  ];
  return layers.reduce((before, layer) => {
    const denied = layer.reduce((sum, { deny }) => sum | deny, 0n);
    const allowed = layer.reduce((sum, { allow }) => sum | allow, 0n);
    return (before & ~denied) | allowed;
  }, granted);
}
