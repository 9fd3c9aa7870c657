import { randomUUID } from 'node:crypto';
import type { Log } from '@darkroom/process';
import type { Clock } from '@darkroom/time';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Accounts } from './accounts/accounts.ts';
import type { Files } from './files.ts';
import { apiPage } from './http/api-page.ts';
import { balanceRoute } from './http/balance-route.ts';
import { allowOrigins } from './http/cors.ts';
import { addCommonHeaders, answerBadAddress, answerBadHttp, answerErrors } from './http/errors.ts';
import { fileRoute } from './http/file-route.ts';
import { keyRoutes } from './http/key-routes.ts';
import { describeApi } from './http/openapi.ts';
import { operationConstraint, withoutAlias } from './http/operation.ts';
import { type SubmitRoute, submitRoute } from './http/submit-route.ts';
import { type TaskRoutes, taskRoutes } from './http/task-routes.ts';
import type { Ledger } from './ledger/ledger.ts';

/** A graph of some hundred nodes is about 100 kB. */
const BODY_LIMIT = 1_048_576;
/** For a request to arrive whole; the answers themselves are quick. */
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** How often Node looks for requests that are late. */
const LATENESS_CHECK_MS = 1_000;

export interface AppServices extends SubmitRoute, TaskRoutes {
  accounts: Accounts;
  ledger: Ledger;
  files: Files;
  clock: Clock;
  log: Log;
  /** Pages of these origins may call; `*` stands for any. Without one, only pages of the service's own. */
  corsOrigins: readonly string[];
}

/** The service's HTTP side, apart from listening: `inject` serves tests that need no port. */
export function createApp(services: AppServices) {
  const { log, limits, corsOrigins } = services;
  // Fastify says for itself that it listens; whoever made it listen says so already.
  const logger: FastifyBaseLogger = log.isLevelEnabled('info') ? log.child({}, { level: 'warn' }) : log;
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // No logger for each request: the few lines that concern one say its id.
    childLoggerFactory: () => logger,
    genReqId: () => randomUUID(),
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: limits.idleConnectionMs,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: LATENESS_CHECK_MS },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    rewriteUrl: withoutAlias,
    routerOptions: { constraints: { operation: operationConstraint } },
    frameworkErrors: answerBadAddress,
    clientErrorHandler: answerBadHttp,
  }).withTypeProvider<ZodTypeProvider>();
  app.server.maxConnections = limits.connections;
  // Whatever a request expects of the server beyond an answer, it gets the answer; Node's own would be a bare 417.
  app.server.on('checkExpectation', app.routing);
  app.setValidatorCompiler(validatorCompiler);
  // Answers are typed by the schemas of their routes; holding each against its schema again costs a tenth of a poll.
  app.setSerializerCompiler(() => JSON.stringify);
  app.setReplySerializer((payload) => JSON.stringify(payload));

  app.addHook('onRequest', (request, reply, done) => {
    addCommonHeaders(request, reply);
    done();
  });
  if (log.isLevelEnabled('debug')) app.addHook('onResponse', logRequest(log));

  answerErrors(app);
  readJsonBodies(app);
  if (corsOrigins.length > 0) allowOrigins(app, corsOrigins);
  describeApi(app);
  app.register(apiPage);
  app.register(submitRoute, services);
  app.register(taskRoutes, services);
  app.register(balanceRoute, services);
  app.register(keyRoutes, services);
  app.register(fileRoute, services);
  return app;
}

/**
 * Bodies are JSON and nothing else. An empty one counts as none, because clients send `Content-Type: application/json` also
 * where there is nothing to send. `__proto__` is removed; `constructor` is a parameter like any unknown one, because no body
 * is merged into an object here.
 */
function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('remove', 'ignore');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) =>
    body.trim() === '' ? done(null, undefined) : parse(request, body, done),
  );
}

/** One line for a request. Never the address itself: a key may stand in it. */
const logRequest =
  (log: Log) =>
  async ({ id, method, routeOptions }: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const operation = routeOptions.config.operation ?? routeOptions.url;
    const ms = Math.round(reply.elapsedTime);
    log.debug({ requestId: id, method, operation, status: reply.statusCode, ms }, 'request');
  };
