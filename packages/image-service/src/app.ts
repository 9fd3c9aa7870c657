import { randomUUID } from 'node:crypto';
import { PICTURE_LIMITS } from '@darkroom/image-api/contract';
import { slowLineMs } from '@darkroom/image-api/limits';
import type { Log } from '@darkroom/process';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import {
  type FastifyPluginAsyncZod,
  validatorCompiler,
  type ZodTypeProvider,
} from 'fastify-type-provider-zod';
import type { Files } from './files/files.ts';
import { accountRoutes } from './http/account-routes.ts';
import { apiPage } from './http/api-page.ts';
import { type Authentication, authenticate } from './http/authentication.ts';
import { type CapabilitiesRoute, capabilitiesRoute } from './http/capabilities-route.ts';
import { boundConnections } from './http/connections.ts';
import { allowOrigins } from './http/cors.ts';
import {
  addCommonHeaders,
  answerBadAddress,
  answerBadHost,
  answerBadHttp,
  answerErrors,
} from './http/errors.ts';
import { fileRoute } from './http/file-route.ts';
import { readJsonBodies, SMALL_BODY } from './http/json-body.ts';
import { keyRoutes } from './http/key-routes.ts';
import { type ApiDescription, describeApi } from './http/openapi.ts';
import { operationConstraint, withoutAlias } from './http/operation.ts';
import { type ProbeRoutes, probeRoutes } from './http/probe-routes.ts';
import { measureRequests } from './http/request-metrics.ts';
import { type SubmitRoute, submitRoute } from './http/submit-route.ts';
import { type TaskRoutes, taskRoutes } from './http/task-routes.ts';
import { type UploadRoute, uploadRoute } from './http/upload-route.ts';
import { type WebhookRoutes, webhookRoutes } from './http/webhook-routes.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Metrics } from './observability/metrics.ts';

/** For a request to arrive whole, over a slow line too; the answers themselves are quick. */
export const REQUEST_TIMEOUT_MS = 30_000 + slowLineMs(PICTURE_LIMITS.bytes);
/** How often Node looks for requests that are late. */
const LATENESS_CHECK_MS = 1_000;

interface AppServices
  extends Authentication,
    SubmitRoute,
    CapabilitiesRoute,
    TaskRoutes,
    WebhookRoutes,
    UploadRoute,
    ProbeRoutes,
    ApiDescription {
  ledger: Ledger;
  files: Files;
  log: Log;
  metrics: Metrics | undefined;
  /** Pages of these origins may call; `*` stands for any. Without one, only pages of the service's own. */
  corsOrigins: readonly string[];
  /** See `ServiceOptions`. */
  trustProxy?: number | readonly string[] | undefined;
}

/** The service's HTTP side, apart from listening: `inject` serves tests that need no port. */
export function createApp(services: AppServices) {
  const { log, limits, metrics, corsOrigins, trustProxy = [] } = services;
  // Fastify says for itself that it listens; whoever made it listen says so already.
  const logger: FastifyBaseLogger = log.isLevelEnabled('info') ? log.child({}, { level: 'warn' }) : log;
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // No logger for each request: the few lines that concern one say its id.
    childLoggerFactory: () => logger,
    genReqId: () => randomUUID(),
    trustProxy: typeof trustProxy === 'number' ? (_, hop) => hop < trustProxy : [...trustProxy],
    bodyLimit: SMALL_BODY,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: limits.idleConnectionMs,
    http: {
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: LATENESS_CHECK_MS,
      requireHostHeader: false,
    },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    rewriteUrl: withoutAlias,
    routerOptions: { constraints: { operation: operationConstraint } },
    frameworkErrors: answerBadAddress,
    clientErrorHandler: answerBadHttp,
  }).withTypeProvider<ZodTypeProvider>();
  // Behind a proxy all have its address: there it is the proxy that bounds those of each.
  if (services.trustProxy !== undefined) app.server.maxConnections = limits.connections;
  else boundConnections(app.server, { max: limits.connections, ofNetwork: limits.connectionsOfAddress });
  // Whatever a request expects of the server beyond an answer, it gets the answer; Node's own would be a bare 417.
  app.server.on('checkExpectation', app.routing);
  app.setValidatorCompiler(validatorCompiler);
  // Answers are typed by the schemas of their routes; holding each against its schema again costs a tenth of a poll.
  app.setSerializerCompiler(() => JSON.stringify);
  app.setReplySerializer((payload) => JSON.stringify(payload));

  app.addHook('onRequest', (request, reply, done) => {
    addCommonHeaders(request, reply);
    if (!answerBadHost(request, reply)) done();
  });
  if (log.isLevelEnabled('debug')) app.addHook('onResponse', logRequest(log));
  measureRequests(app, metrics);

  answerErrors(app);
  readJsonBodies(app);
  if (corsOrigins.length > 0) allowOrigins(app, corsOrigins);
  authenticate(app, services);
  describeApi(app, services);
  app.register(apiPage);
  app.register(uploadRoute, services);
  app.register(probeRoutes, services);
  app.register(otherRoutes, services);
  return app;
}

/** Those without hooks and content types of their own, in one plugin: to open one takes its time. */
const otherRoutes: FastifyPluginAsyncZod<AppServices> = async (app, services) => {
  for (const addTo of [
    submitRoute,
    taskRoutes,
    capabilitiesRoute,
    accountRoutes,
    keyRoutes,
    webhookRoutes,
    fileRoute,
  ])
    await addTo(app, services);
};

/** One line for a request. Never the address itself: a key may stand in it. */
const logRequest =
  (log: Log) =>
  async ({ id, method, routeOptions }: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const operation = routeOptions.config.operation ?? routeOptions.url;
    const ms = Math.round(reply.elapsedTime);
    log.debug({ requestId: id, method, operation, status: reply.statusCode, ms }, 'request');
  };
