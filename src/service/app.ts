import { randomUUID } from 'node:crypto';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Accounts } from './accounts/accounts.ts';
import type { Files } from './files.ts';
import { balanceRoute } from './http/balance-route.ts';
import { announce, explainBadAddress, explainBadHttp, explainErrors } from './http/errors.ts';
import { fileRoute } from './http/file-route.ts';
import { readJsonBodies } from './http/json-body.ts';
import { keyRoutes } from './http/key-routes.ts';
import { describeApi } from './http/openapi.ts';
import { operationConstraint } from './http/operation.ts';
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

export interface AppParts extends SubmitRoute, TaskRoutes {
  accounts: Accounts;
  ledger: Ledger;
  files: Files;
  clock: Clock;
  log: Log;
}

/** The service's HTTP side, apart from listening: `inject` serves tests that need no port. */
export function createApp(parts: AppParts) {
  const { log, limits } = parts;
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
    connectionTimeout: limits.stillMs,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: LATENESS_CHECK_MS },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { constraints: { operation: operationConstraint } },
    frameworkErrors: explainBadAddress,
    clientErrorHandler: explainBadHttp,
  }).withTypeProvider<ZodTypeProvider>();
  app.server.maxConnections = limits.connections;
  // Whatever a request expects of the server beyond an answer, it gets the answer; Node's own would be a bare 417.
  app.server.on('checkExpectation', app.routing);
  app.setValidatorCompiler(validatorCompiler);
  // Answers are typed by the schemas of their routes; holding each against its schema again costs a tenth of a poll.
  app.setSerializerCompiler(() => JSON.stringify);
  app.setReplySerializer((payload) => JSON.stringify(payload));

  app.addHook('onRequest', (request, reply, done) => {
    announce(request, reply);
    done();
  });
  if (log.isLevelEnabled('debug')) app.addHook('onResponse', logRequest(log));

  explainErrors(app);
  readJsonBodies(app);
  describeApi(app);
  app.register(submitRoute, parts);
  app.register(taskRoutes, parts);
  app.register(balanceRoute, parts);
  app.register(keyRoutes, parts);
  app.register(fileRoute, parts);
  return app;
}

/** One line for a request. Never the address itself: a key may stand in it. */
const logRequest =
  (log: Log) =>
  async ({ id, method, routeOptions }: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const operation = routeOptions.config.operation ?? routeOptions.url;
    const ms = Math.round(reply.elapsedTime);
    log.debug({ requestId: id, method, operation, status: reply.statusCode, ms }, 'request');
  };
