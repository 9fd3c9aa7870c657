import type { FastifyPluginAsync } from 'fastify';

/** What the page may load and call: only this service. Its icons are in its style sheet, as `data:`. */
const CONTENT_SECURITY_POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data: blob:",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

/**
 * The page at `/`: the interface, shown and tried from its own description. Everything on it comes from this service.
 */
export const apiPage: FastifyPluginAsync = async (app) => {
  await app.register(import('@fastify/swagger-ui'), {
    routePrefix: '/',
    staticCSP: CONTENT_SECURITY_POLICY,
    theme: { title: 'Darkroom image service' },
    uiConfig: {
      // Without a bar that asks for the address of another description.
      layout: 'BaseLayout',
      docExpansion: 'list',
      defaultModelsExpandDepth: -1,
    },
  });
};
