# syntax=docker/dockerfile:1

# Node 22 is the newest release for which uWebSockets.js has binaries: for linux/amd64 and linux/arm64.
ARG NODE_IMAGE=node:22-bookworm-slim

# The package, as `npm pack` makes it.
FROM ${NODE_IMAGE} AS package
WORKDIR /build
COPY . .
RUN --mount=type=cache,target=/root/.npm node scripts/setup.mjs
RUN npm pack --ignore-scripts && tar -xzf candela-ta-*.tgz

# What it depends on, in the versions of the lock file, and uWebSockets.js, which the package does not bring.
FROM ${NODE_IMAGE} AS installed
WORKDIR /app
COPY --from=package /build/package ./
COPY package-lock.json ./
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --no-workspaces --ignore-scripts --no-audit --no-fund
COPY --from=package /build/node_modules/uWebSockets.js ./node_modules/uWebSockets.js
# What is never loaded here: binaries for other platforms, CommonJS and browser copies of a module, types and source maps.
COPY scripts/trim-modules.mjs /tmp/
RUN node /tmp/trim-modules.mjs node_modules

FROM ${NODE_IMAGE}
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    DATA_DIR=/data
WORKDIR /app
COPY --from=installed /app ./
RUN ln -s /app/dist/cli/candela.js /usr/local/bin/candela \
    && chmod 755 /app/dist/cli/candela.js \
    && install -d -o 1000 -g 1000 -m 700 /data
# A number, so that an orchestrator can see that it is not root.
USER 1000:1000
VOLUME ["/data"]
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=10s --start-period=20s CMD ["node", "dist/cli/candela.js", "health"]
CMD ["node", "dist/main.js"]
