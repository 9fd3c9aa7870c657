import { GatewayIntentBits } from 'discord-api-types/v10';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { memberOf } from '../rules/permissions.ts';
import { serializeMember } from '../serialize/guild.ts';
import { findMembers } from '../state/members.ts';
import type { Guild } from '../state/state.ts';
import type { Session } from './session.ts';

const MAX_CHUNK = 1000;
/** Of those who are named, and of those whose names begin so. */
const MAX_FOUND = 100;

const requestShape = z.object({
  /** Discord wants one; libraries of older versions send a list. */
  guild_id: z.union([z.string(), z.array(z.string())]),
  query: z.string().optional(),
  limit: z.int().min(0).optional(),
  user_ids: z.union([z.string(), z.array(z.string())]).optional(),
  nonce: z.string().max(32).optional(),
});

/** Answers op 8. Source: 'Gateway Events', Request Guild Members and Guild Members Chunk. */
export function sendMemberChunks(context: Context, session: Session, d: unknown): void {
  const request = requestShape.safeParse(d).data;
  for (const id of [request?.guild_id ?? []].flat()) {
    const guild = context.state.guilds.get(id);
    if (request && guild && memberOf(guild, session.applicationId))
      sendChunks(context, session, guild, request);
  }
}

function sendChunks(
  { state, log }: Context,
  session: Session,
  guild: Guild,
  request: z.infer<typeof requestShape>,
): void {
  const { query = '', limit = 0, nonce } = request;
  const wantsAll = request.user_ids === undefined && query === '' && limit === 0;
  // Discord is silent as well: nothing comes, and no error either.
  if (wantsAll && (session.intents & GatewayIntentBits.GuildMembers) === 0) {
    log.warn(
      { guild: guild.id },
      'a bot without the intent GuildMembers asked for all members: not answered',
    );
    return;
  }
  const ids = request.user_ids === undefined ? undefined : [request.user_ids].flat().slice(0, MAX_FOUND);
  const found = ids
    ? guild.members.filter(({ userId }) => ids.includes(userId))
    : findMembers(state, guild, query).slice(0, limit || (query ? MAX_FOUND : undefined));
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
