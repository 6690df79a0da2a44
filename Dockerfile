# syntax=docker/dockerfile:1

# Node 22 is the newest release for which uWebSockets.js has binaries.
ARG NODE_IMAGE=node:22-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY . .
# The same steps as `npm run build`: install the packages of the lock file, build the kernels and the service.
RUN --mount=type=cache,target=/root/.npm node scripts/setup.mjs
RUN npm prune --omit=dev --ignore-scripts --no-audit --no-fund
# What is never loaded here: binaries for other platforms, CommonJS and browser copies of a module, types and source maps.
RUN node scripts/trim-modules.mjs

FROM ${NODE_IMAGE}
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/build ./build
COPY --from=build /app/dist ./dist
RUN ln -s /app/dist/cli/candela.js /usr/local/bin/candela \
    && chmod 755 /app/dist/cli/candela.js \
    && install -d -o 1000 -g 1000 -m 700 /data
# A number, so that an orchestrator can see that it is not root.
USER 1000:1000
VOLUME ["/data"]
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=10s --start-period=20s CMD ["node", "dist/cli/candela.js", "health"]
CMD ["node", "dist/main.js"]
