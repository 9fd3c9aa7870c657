# The bot and the image service in one image: `docker build -t darkroom .`
# The bot is what it runs; `darkroom service` is the service (compose.yaml), `darkroom help` lists every program.

FROM node:24-bookworm AS build
WORKDIR /app
COPY . .
# Native modules are downloaded, or compiled with what this stage brings along.
RUN CFLAGS=-O2 npm_config_nodedir=/usr/local npm ci
RUN npm run -s build:app && npm prune --omit=dev
# For hosted models or a bucket, all at once: `--build-arg PACKAGES="ai@6 @ai-sdk/openai@3 @aws-sdk/client-s3@3"`, or
# PACKAGES in .env with compose.yaml.
ARG PACKAGES=""
RUN [ -z "$PACKAGES" ] || npm install --no-save --omit=dev $PACKAGES
# Sources, and what compiling leaves behind.
RUN cd node_modules/better-sqlite3 && rm -rf deps src && find build -type f ! -name better_sqlite3.node -delete
RUN rm -rf packages/*/src
# A clone may be closed to others, and here it is one of those who runs it.
RUN chmod -R a+rX package.json run.mjs node_modules packages dist && chmod a+x dist/bundle/darkroom.js

FROM node:24-bookworm-slim
# HTTP_HOST: a container is reached from outside of it. Who may do so is what its published ports say.
ENV NODE_ENV=production \
    DARKROOM_HOME=/app \
    HTTP_HOST=0.0.0.0 \
    HTTP_PORT=9464
WORKDIR /app
COPY --from=build /app/package.json /app/run.mjs ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/packages packages
COPY --from=build /app/dist dist
RUN ln -s /app/dist/bundle/darkroom.js /usr/local/bin/darkroom
# The one folder that is written to, for its owner alone.
RUN mkdir --mode=700 data && chown node:node data
VOLUME /app/data
# By its number, so that Kubernetes sees that it is not root.
USER 1000
EXPOSE 9464
# It answers once the database is there and its tables are those of this version: where many rows are written anew, after
# up to an hour.
HEALTHCHECK --start-period=1h --interval=30s --timeout=5s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.HTTP_PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["darkroom", "start"]
