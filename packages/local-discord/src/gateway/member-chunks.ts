import { z } from 'zod';
import type { Context } from '../context.ts';
import { memberOf } from '../rules/permissions.ts';
import { serializeMember } from '../serialize/guild.ts';
import { findMembers } from '../state/members.ts';
import type { Guild, State } from '../state/state.ts';
import type { Session } from './session.ts';

const MAX_CHUNK = 1000;
const MAX_USER_IDS = 100;

const requestShape = z.object({
  /** Discord wants one; libraries of older versions send a list. */
  guild_id: z.union([z.string(), z.array(z.string())]),
  query: z.string().optional(),
  limit: z.int().min(0).optional(),
  user_ids: z.union([z.string(), z.array(z.string())]).optional(),
  nonce: z.string().max(32).optional(),
});

/** Answers op 8. Source: 'Gateway Events', Request Guild Members and Guild Members Chunk. */
export function sendMemberChunks({ state }: Context, session: Session, d: unknown): void {
  const request = requestShape.safeParse(d).data;
  for (const id of [request?.guild_id ?? []].flat()) {
    const guild = state.guilds.get(id);
    if (request && guild && memberOf(guild, session.applicationId))
      sendChunks(state, session, guild, request);
  }
}

function sendChunks(
  state: State,
  session: Session,
  guild: Guild,
  request: z.infer<typeof requestShape>,
): void {
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
