import { z } from 'zod';
import type { Context } from '../context.ts';
import { memberOf } from '../rules/permissions.ts';
import { serializeMember } from '../serialize/guild.ts';
import { findMembers } from '../state/members.ts';
import type { Session } from './session.ts';

const MAX_CHUNK = 1000;
const MAX_USER_IDS = 100;

const requestShape = z.object({
  guild_id: z.string(),
  query: z.string().optional(),
  limit: z.int().min(0).optional(),
  user_ids: z.union([z.string(), z.array(z.string())]).optional(),
  nonce: z.string().max(32).optional(),
});

/** Answers op 8. Source: 'Gateway Events', Request Guild Members and Guild Members Chunk. */
export function sendMemberChunks({ state }: Context, session: Session, d: unknown): void {
  const request = requestShape.safeParse(d).data;
  const guild = request && state.guilds.get(request.guild_id);
  if (!guild || !memberOf(guild, session.applicationId)) return;
  const { query = '', limit = 0, nonce } = request;
  const ids = request.user_ids === undefined ? undefined : [request.user_ids].flat().slice(0, MAX_USER_IDS);
  const found = ids
    ? guild.members.filter(({ userId }) => ids.includes(userId))
    : findMembers(state, guild, query).slice(0, limit || undefined);
  const notFound = ids?.filter((id) => !memberOf(guild, id)) ?? [];
  const chunkCount = Math.max(1, Math.ceil(found.length / MAX_CHUNK));
  for (let index = 0; index < chunkCount; index++) {
    const members = found.slice(index * MAX_CHUNK, (index + 1) * MAX_CHUNK);
    session.send('GUILD_MEMBERS_CHUNK', {
      guild_id: guild.id,
      members: members.map((member) => serializeMember(state, member)),
      chunk_index: index,
      chunk_count: chunkCount,
      ...(notFound.length > 0 && { not_found: notFound }),
      ...(nonce !== undefined && { nonce }),
    });
  }
}
