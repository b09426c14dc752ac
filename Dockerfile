# Switchboard as an image: the bundle of `npm run build`, and Node. See docs/deploying.md.
FROM node:24.21.0-trixie-slim AS build
WORKDIR /app
RUN chown node:node .
# The user of the image, as compiled code is found by its user.
USER node
COPY --chown=node:node package.json package-lock.json .npmrc ./
COPY --chown=node:node sandbox/package.json sandbox/
RUN npm ci --no-audit --no-fund
COPY --chown=node:node bin bin
COPY --chown=node:node packaging packaging
COPY --chown=node:node src src
RUN npm run build && chmod -R go+rX dist && mkdir data

FROM node:24.21.0-trixie-slim
# What installs packages is of no use here.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn-v*
ENV NODE_ENV=production DATA_DIR=/data
WORKDIR /app
COPY LICENSE ./
COPY bin bin
COPY --from=build /app/dist dist
COPY --from=build --chown=node:node /app/data /data
USER 1000:1000
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=15s --retries=3 CMD ["node", "bin/health.mjs"]
CMD ["node", "--max-semi-space-size=8", "--heap-growing-percent=30", "bin/start.mjs", "main"]
