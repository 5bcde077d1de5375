# The image of each service is a target of this file: docker build --target gateway .
# One stage installs the packages, one per service bundles it, and the image holds Bun, the bundle and no shell.
# `bun run images --pin` writes their digests where a registry answers. Until then their tags can be moved.
ARG BUILD_IMAGE=oven/bun:1.4.5-slim
ARG RUN_IMAGE=oven/bun:1.4.5-distroless

FROM ${BUILD_IMAGE} AS source
WORKDIR /src
# The manifests come first: packages are installed again only when one of them changes.
COPY package.json bun.lock bunfig.toml ./
COPY patches patches
COPY clients/ai-sdk/package.json clients/ai-sdk/
COPY clients/cli/package.json clients/cli/
COPY clients/mcp/package.json clients/mcp/
COPY clients/typescript/package.json clients/typescript/
COPY proto/package.json proto/
COPY tests/package.json tests/
COPY tools/package.json tools/
COPY services/catalog/package.json services/catalog/
COPY services/console/package.json services/console/
COPY services/dispatcher/package.json services/dispatcher/
COPY services/gateway/package.json services/gateway/
COPY services/kit/package.json services/kit/
COPY services/ledger/package.json services/ledger/
COPY services/media-probe/package.json services/media-probe/
COPY services/simulator/package.json services/simulator/
COPY services/webhooks/package.json services/webhooks/
RUN --mount=type=cache,target=/root/.bun/install/cache bun install --frozen-lockfile --ignore-scripts --production
COPY proto proto
COPY services services
COPY tools tools
ENV BUNDLE="bun build --target=bun --define FILMGATE_RELEASE_BUILD=true --outdir=/app/dist --entry-naming=[name].[ext]"

FROM source AS catalog-bundle
RUN $BUNDLE services/catalog/src/main.ts services/kit/bin/topics.ts
FROM source AS console-bundle
RUN $BUNDLE services/console/src/main.ts services/console/src/migrate.ts
FROM source AS dispatcher-bundle
RUN $BUNDLE services/dispatcher/src/main.ts services/dispatcher/src/migrate.ts services/dispatcher/src/delivery/read-mp4-worker.ts
FROM source AS gateway-bundle
RUN $BUNDLE services/gateway/src/main.ts services/gateway/src/migrate.ts services/gateway/src/tasks/retention.ts
FROM source AS ledger-bundle
RUN $BUNDLE services/ledger/src/main.ts services/ledger/src/migrate.ts services/ledger/src/audit.ts
FROM source AS media-probe-bundle
RUN $BUNDLE services/media-probe/src/main.ts services/media-probe/src/migrate.ts services/media-probe/src/child/cage/cage.ts \
  services/media-probe/src/child/cage/check-isolation.ts
FROM source AS ops-bundle
RUN $BUNDLE tools/ops.ts tools/ops/wait.ts
FROM source AS simulator-bundle
RUN $BUNDLE services/simulator/src/main.ts
FROM source AS webhooks-bundle
RUN $BUNDLE services/webhooks/src/main.ts services/webhooks/src/migrate.ts

# ffmpeg with the libraries it links, and the program that limits it. The C library and its loader are the run image's own.
FROM ${BUILD_IMAGE} AS tools
RUN apt-get update && apt-get install -y --no-install-recommends ffmpeg
# The root file system may or may not have /bin merged into /usr/bin.
RUN set -eu; lib=/tools/usr/lib/$(uname -m)-linux-gnu; mkdir -p /tools/usr/bin "$lib"; \
  for tool in ffmpeg ffprobe prlimit; do \
    path=$(ls "/usr/bin/$tool" "/bin/$tool" 2>/dev/null | head -n 1); cp -L "$path" /tools/usr/bin/; ldd "$path" >> /linked; done; \
  awk '$3 ~ /^\// { print $3 }' /linked | sort -u \
    | grep -Ev '/(libc|libm|libmvec|libdl|librt|libpthread|libresolv)\.so' > /libraries; xargs -I{} cp -L {} "$lib/" < /libraries
# The Debian packages that the files come from, where image scanners look for them.
RUN mkdir -p /tools/var/lib/dpkg/status.d; for file in $(cat /libraries) $(cd /tools && ls -d usr/bin/* | sed "s#^#/#"); do \
    dpkg -S "$(realpath "$file")" 2>/dev/null; done | cut -d: -f1 | sort -u | xargs dpkg -s > /tools/var/lib/dpkg/status.d/tools

FROM ${RUN_IMAGE} AS run
ARG VERSION=dev
LABEL org.opencontainers.image.version="${VERSION}"
ENV NODE_ENV=production
WORKDIR /app
USER 65532:65532
ENTRYPOINT ["/usr/local/bin/bun"]
CMD ["/app/dist/main.js"]

FROM run AS run-with-tools
COPY --from=tools /tools /

FROM run AS catalog
LABEL org.opencontainers.image.title="filmgate-catalog"
COPY --from=catalog-bundle /app/dist dist
COPY services/catalog/models models
COPY services/catalog/prices prices

FROM run AS console
LABEL org.opencontainers.image.title="filmgate-console"
COPY --from=console-bundle /app/dist dist
COPY services/console/migrations migrations

FROM run AS dispatcher
LABEL org.opencontainers.image.title="filmgate-dispatcher"
COPY --from=dispatcher-bundle /app/dist dist
COPY services/dispatcher/migrations migrations
COPY services/dispatcher/routes routes

FROM run AS gateway
LABEL org.opencontainers.image.title="filmgate-gateway"
COPY --from=gateway-bundle /app/dist dist
COPY services/gateway/migrations migrations

FROM run AS ledger
LABEL org.opencontainers.image.title="filmgate-ledger"
COPY --from=ledger-bundle /app/dist dist
COPY services/ledger/migrations migrations

FROM run-with-tools AS media-probe
LABEL org.opencontainers.image.title="filmgate-media-probe"
COPY --from=media-probe-bundle /app/dist dist
COPY services/media-probe/migrations migrations

# The operator's command: docker run … dist/ops.js review list
FROM run AS ops
LABEL org.opencontainers.image.title="filmgate-ops"
COPY --from=ops-bundle /app/dist dist
CMD ["/app/dist/ops.js"]

FROM run-with-tools AS simulator
LABEL org.opencontainers.image.title="filmgate-simulator"
COPY --from=simulator-bundle /app/dist dist
COPY --from=source /src/node_modules/@fontsource/share-tech-mono node_modules/@fontsource/share-tech-mono

FROM run AS webhooks
LABEL org.opencontainers.image.title="filmgate-webhooks"
COPY --from=webhooks-bundle /app/dist dist
COPY services/webhooks/migrations migrations
