import * as spec from 'discord-api-spec/zod';
import { RESTJSONErrorCodes as Code, PermissionFlagsBits as P } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { listOf, numeric, parseBody, permissionsOf } from '../rules/body.ts';
import { apiError } from '../rules/errors.ts';
import { guildPermissions, has } from '../rules/permissions.ts';
import { serializeRole } from '../serialize/guild.ts';
import type { Guild, Role } from '../state/state.ts';
import { accessibleGuild, administeredGuild, requireRoleBelow } from './access.ts';
import { type At, formOf, type GuildRoute, type Services } from './routing.ts';

type RoleRoute = At<'guildId' | 'roleId'>;

/** A server's roles, and what a bot does to them. Their order is that of `guild.roles`. Source: 'Guild', roles. */
export function routeRoles(app: FastifyInstance, { context }: Services): void {
  const { state, events, snowflakes } = context;
  const serialize = (guild: Guild, role: Role) => serializeRole(role, guild.roles.indexOf(role));

  /** What a body asks of a role. A bot gives no permission that it does not have. */
  function changesOf(
    guild: Guild,
    botId: string,
    body: unknown,
    schema: typeof spec.CreateRoleRequestSchema,
  ) {
    const { name, color, colors, hoist, mentionable } = parseBody(schema, numeric(body, 'permissions'));
    const asked: unknown = Reflect.get(Object(body), 'permissions');
    const permissions =
      asked === undefined || asked === null ? undefined : permissionsOf(asked, ['permissions']);
    if (permissions !== undefined && !has(guildPermissions(state, guild, botId), permissions)) {
      throw apiError(Code.MissingPermissions);
    }
    const shade = colors?.primary_color ?? color;
    return {
      ...(name && { name }),
      ...(permissions !== undefined && { permissions }),
      ...(typeof shade === 'number' && { color: shade }),
      ...(typeof hoist === 'boolean' && { hoist }),
      ...(typeof mentionable === 'boolean' && { mentionable }),
    };
  }

  app.get<GuildRoute>('/guilds/:guildId/roles', async ({ params, applicationId }) =>
    accessibleGuild(state, params.guildId, applicationId).roles.map(serializeRole),
  );
  app.get<RoleRoute>('/guilds/:guildId/roles/:roleId', async ({ params, applicationId }) => {
    const guild = accessibleGuild(state, params.guildId, applicationId);
    const role = guild.roles.find(({ id }) => id === params.roleId);
    if (!role) throw apiError(Code.UnknownRole);
    return serialize(guild, role);
  });

  app.post<GuildRoute>('/guilds/:guildId/roles', async (request) => {
    const { params, applicationId: botId } = request;
    const guild = administeredGuild(state, params.guildId, botId, P.ManageRoles);
    const asked = changesOf(guild, botId, formOf(request).body ?? {}, spec.CreateRoleRequestSchema);
    const permissions = guild.roles[0]?.permissions ?? 0n;
    const role: Role = { id: snowflakes.next(), name: 'new role', permissions, color: 0, ...asked };
    guild.roles.splice(1, 0, role);
    events.publish({ type: 'role-created', guild, role });
    return serialize(guild, role);
  });

  app.patch<RoleRoute>('/guilds/:guildId/roles/:roleId', async (request) => {
    const { params, applicationId: botId } = request;
    const guild = administeredGuild(state, params.guildId, botId, P.ManageRoles);
    const role = requireRoleBelow(guild, botId, params.roleId);
    Object.assign(role, changesOf(guild, botId, formOf(request).body, spec.UpdateRoleRequestPartialSchema));
    events.publish({ type: 'role-updated', guild, role });
    return serialize(guild, role);
  });

  app.patch<GuildRoute>('/guilds/:guildId/roles', async (request) => {
    const { params, applicationId: botId } = request;
    const guild = administeredGuild(state, params.guildId, botId, P.ManageRoles);
    const moves = listOf(formOf(request).body).map((one, n) =>
      parseBody(spec.UpdateRolePositionsRequestSchema, one, [n]),
    );
    const before = guild.roles;
    const place = (role: Role, now: number): number => {
      const wanted = moves.find(({ id }) => id === role.id)?.position ?? now;
      return wanted + Math.sign(wanted - now) / 2;
    };
    const places = new Map(before.map((role, now) => [role, now === 0 ? 0 : place(role, now)]));
    const after = before.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
    const moved = after.filter((role, now) => before[now] !== role);
    for (const { id } of moved) requireRoleBelow(guild, botId, id);
    guild.roles = after;
    for (const role of moved) events.publish({ type: 'role-updated', guild, role });
    return guild.roles.map((role) => serialize(guild, role));
  });

  app.delete<RoleRoute>('/guilds/:guildId/roles/:roleId', async ({ params, applicationId }) => {
    const guild = administeredGuild(state, params.guildId, applicationId, P.ManageRoles);
    const role = requireRoleBelow(guild, applicationId, params.roleId);
    if (role.id === guild.id) throw apiError(Code.InvalidRole);
    guild.roles = guild.roles.filter((other) => other !== role);
    for (const member of guild.members) member.roles = member.roles.filter((id) => id !== role.id);
    events.publish({ type: 'role-deleted', guild, role });
  });
}
