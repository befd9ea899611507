# Builds and installs Culprit, and runs it as a user without rights over files that it cannot change:
#   docker build --build-arg COMMIT="$(git rev-parse HEAD)" -t culprit .
# docs/operating.md says how to run it, compose.yaml does.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --omit=dev
COPY . .
ARG COMMIT
RUN SOURCE_COMMIT="${COMMIT}" npm run pack -- /release \
  && npm install --ignore-scripts --omit=dev --prefix /opt/culprit /release/*.tgz

FROM ${NODE_IMAGE}
ENV NODE_ENV=production \
  DATA_DIR=/data \
  HOME=/tmp \
  LOG_FORMAT=json
COPY --from=build /opt/culprit /opt/culprit
RUN install -d -o node -g node -m 0700 /data
USER node
WORKDIR /data
VOLUME /data
EXPOSE 3000
# Without curl, which the image does not have.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "/opt/culprit/node_modules/culprit/scripts/check-health.js"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "/opt/culprit/node_modules/culprit/bin/culprit.mjs"]
