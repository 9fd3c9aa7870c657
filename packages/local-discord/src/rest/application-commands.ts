import * as spec from 'discord-api-spec/zod';
import {
  type APIApplicationCommand,
  ApplicationCommandType,
  ApplicationIntegrationType,
  RESTJSONErrorCodes as Code,
} from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { listOf, numeric, parseBody } from '../rules/body.ts';
import { type CommandBody, checkCommand, MAX_COMMANDS, mapParts } from '../rules/commands.ts';
import { ApiError, apiError } from '../rules/errors.ts';
import { createFormErrors, invalidFormBody } from '../rules/form-errors.ts';
import { accessibleGuild } from './access.ts';
import { formOf, type Services } from './routing.ts';

interface Scope {
  applicationId: string;
  guildId?: string;
}
interface List {
  Params: Scope;
  Querystring: { with_localizations?: string };
}
interface One extends List {
  Params: Scope & { commandId: string };
}

/** Registration of commands, global and per server. Source: 'Application Commands', endpoints. */
export function routeApplicationCommands(app: FastifyInstance, { context }: Services): void {
  const { state, snowflakes, events } = context;
  for (const base of ['/applications/:applicationId', '/applications/:applicationId/guilds/:guildId']) {
    app.get<List>(`${base}/commands`, async (request) => {
      check(request);
      const full = request.query.with_localizations === 'true';
      return listed(request.params).map((command) => (full ? command : withoutLocalizations(command)));
    });
    app.put<List>(`${base}/commands`, async (request) => {
      check(request);
      const bodies = parseAll(listOf(formOf(request).body));
      const old = listed(request.params);
      if (old.some(isEntryPoint) && !bodies.some(isEntryPoint)) throw new ApiError(400, ENTRY_POINT_REMOVED);
      const made = bodies.map((one) => build(request.params, one, old.find(sameName(one))));
      for (const { id } of old) state.commands.delete(id);
      for (const command of made) state.commands.set(command.id, command);
      events.publish({ type: 'commands-changed' });
      return made;
    });
    app.post<List>(`${base}/commands`, async (request, reply) => {
      check(request);
      const [body] = parseAll([formOf(request).body], true);
      if (!body) throw invalidFormBody([], 'BASE_TYPE_REQUIRED');
      const old = listed(request.params);
      const before = old.find(sameName(body));
      if (!before) checkCount([...old, body]);
      reply.code(before ? 200 : 201);
      return store(build(request.params, body, before));
    });
    app.get<One>(`${base}/commands/:commandId`, async (request) => {
      check(request);
      return find(request.params);
    });
    app.patch<One>(`${base}/commands/:commandId`, async (request) => {
      check(request);
      const before = find(request.params);
      const { body } = formOf(request);
      parseBody(spec.ApplicationCommandPatchRequestPartialSchema, numericPermissions(body));
      for (const merged of parseAll([{ ...before, ...Object(body), type: before.type }], true)) {
        if (listed(request.params).some((other) => other !== before && sameName(merged)(other))) {
          throw invalidFormBody(['name'], 'APPLICATION_COMMANDS_DUPLICATE_NAME');
        }
        store(build(request.params, merged, before));
      }
      return find(request.params);
    });
    app.delete<One>(`${base}/commands/:commandId`, async (request) => {
      check(request);
      state.commands.delete(find(request.params).id);
      events.publish({ type: 'commands-changed' });
    });
  }

  function check({ params, applicationId }: { params: Scope; applicationId: string }): void {
    if (params.applicationId !== applicationId) throw apiError(Code.MissingAccess);
    if (params.guildId) accessibleGuild(state, params.guildId, applicationId);
  }

  function listed({ applicationId, guildId }: Scope): APIApplicationCommand[] {
    return [...state.commands.values()].filter(
      (command) => command.application_id === applicationId && command.guild_id === guildId,
    );
  }

  function find(params: One['Params']): APIApplicationCommand {
    const found = listed(params).find(({ id }) => id === params.commandId);
    if (!found) throw apiError(Code.UnknownApplicationCommand);
    return found;
  }

  function store(command: APIApplicationCommand): APIApplicationCommand {
    state.commands.set(command.id, command);
    events.publish({ type: 'commands-changed' });
    return command;
  }

  /**
   * A command that keeps its name keeps its id. What holds outside of servers is kept of global commands alone. Source:
   * 'Application Commands', application command object; discordjs/discord-api-types#1776, whose mend says that the API
   * returns none of it for commands of a server.
   */
  function build(
    { applicationId, guildId }: Scope,
    body: CommandBody,
    before: APIApplicationCommand | undefined,
  ): APIApplicationCommand {
    const { integration_types, contexts, dm_permission, ...kept } = body;
    const type = body.type ?? ApplicationCommandType.ChatInput;
    const permissions = body.default_member_permissions;
    const global = {
      integration_types: integration_types ?? [ApplicationIntegrationType.GuildInstall],
      contexts: contexts ?? null,
      dm_permission: dm_permission ?? true,
    };
    const made = {
      ...kept,
      id: before?.id ?? snowflakes.next(),
      application_id: applicationId,
      version: snowflakes.next(),
      type,
      description: body.description ?? '',
      name_localizations: body.name_localizations ?? null,
      default_member_permissions: permissions == null ? null : String(permissions),
      nsfw: body.nsfw ?? false,
      ...(guildId ? { guild_id: guildId } : global),
    };
    // The body has been validated as a command; its options keep their kinds.
    return made as unknown as APIApplicationCommand;
  }
}

/** Validates bodies of commands, all of them before any is kept. `single`: errors name no position. */
function parseAll(bodies: readonly unknown[], single = false): CommandBody[] {
  const errors = createFormErrors();
  const parsed = bodies.map((body, index) => {
    const at = single ? [] : [index];
    const { default_member_permissions, nsfw } = Object(body) as CommandBody;
    const command: CommandBody = {
      // The schema's own type is a union by command type; the rules read it as one shape.
      ...(parseBody(spec.ApplicationCommandCreateRequestSchema, numericPermissions(body), at) as CommandBody),
      ...(default_member_permissions !== undefined && { default_member_permissions }),
      ...(typeof nsfw === 'boolean' && { nsfw }),
    };
    checkCommand(errors, command, at);
    return command;
  });
  for (const [index, body] of parsed.entries()) {
    if (parsed.findIndex(sameName(body)) !== index)
      errors.add([index], 'APPLICATION_COMMANDS_DUPLICATE_NAME');
  }
  errors.throwIfAny();
  checkCount(parsed);
  return parsed;
}

const typeOf = ({ type }: Pick<CommandBody, 'type'>) => type ?? ApplicationCommandType.ChatInput;

function sameName(one: CommandBody): (other: CommandBody) => boolean {
  return (other) => other.name === one.name && typeOf(other) === typeOf(one);
}

/** discord.js names no such code. Source: serenity-rs/serenity#2993. */
const ENTRY_POINT_REMOVED = {
  code: 50240,
  message:
    "You cannot remove this app's Entry Point command in a bulk update operation. Please include the Entry Point command in your update request or delete it separately.",
};

const isEntryPoint = (command: Pick<CommandBody, 'type'>) =>
  typeOf(command) === ApplicationCommandType.PrimaryEntryPoint;

function checkCount(commands: readonly CommandBody[]): void {
  for (const [type, most] of Object.entries(MAX_COMMANDS)) {
    if (commands.filter((command) => String(typeOf(command)) === type).length > most) {
      throw apiError(Code.MaximumNumberOfApplicationCommandsReached);
    }
  }
}

const numericPermissions = (body: unknown) => numeric(body, 'default_member_permissions');

const withoutLocalizations = (command: APIApplicationCommand): APIApplicationCommand =>
  mapParts(command, (part) =>
    Object.fromEntries(Object.entries(part).filter(([key]) => !key.endsWith('_localizations'))),
  );
