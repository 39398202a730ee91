# syntax=docker/dockerfile:1
# One image for every configuration: `docker build -t gatehouse .`, or `docker buildx bake` for every architecture.
# The digest is the index of all architectures, so a build today and one next year begin with the same files.
ARG NODE_IMAGE=node:24.21.0-trixie-slim@sha256:173f125896c3b47ddf056734c7ea789d04595a6a08769a8f78e0df642781fb66

# What the build writes is the same for every architecture, so it runs once, without emulation.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY dashboard/package.json dashboard/
COPY client/package.json client/
COPY deploy/npm/package.json deploy/npm/
COPY tools tools
# Without scripts: ours would build sources that are not here yet, and none of the packages needs its own.
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY scripts scripts
COPY src src
COPY dashboard dashboard
# Signups that `gatehouse policy test` tries policies with are made by what measures waves.
COPY bench/wave-parts bench/wave-parts
COPY demo/seeded.mjs demo/
RUN npm run build \
  && find dist \( -name '*.map' -o -name '.*stamp' -o -name '.tsbuildinfo' -o -name '.dashboard-packages' \) -delete

FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS dependencies
ARG TARGETARCH=amd64
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# `npm ci --omit=dev` would bring a third more: build tools that a package at run time names as optional peers.
# Here they are not asked for at all; what stays has the versions and checksums of package-lock.json.
# npm names architectures differently from the engine; the binaries come inside the packages, so none is compiled.
RUN npm pkg delete devDependencies workspaces \
  && npm install --ignore-scripts --os=linux --libc=glibc --cpu=$(echo $TARGETARCH | sed s/amd64/x64/)

FROM ${NODE_IMAGE} AS runtime
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Gatehouse" \
  org.opencontainers.image.description="Self-hosted service that decides whether a signup may come in." \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"
ENV NODE_ENV=production \
  HOST=0.0.0.0 \
  PORT=8080 \
  GATEHOUSE_DATA_DIR=/data
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY bin bin
COPY LICENSE package.json ./
# Everything but the data folder belongs to root, so the service cannot change its own code.
RUN ln -s /app/bin/gatehouse.js /usr/local/bin/gatehouse \
  && ln -s dist/THIRD-PARTY.txt THIRD-PARTY.txt \
  && install -d -o 1000 -g 1000 -m 700 /data
USER 1000:1000
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
# By bash, which Debian always has: starting Node.js each ten seconds would cost more than most signups.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/$PORT && printf 'GET /readyz HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && read -r _ status _ <&3 && [ \"$status\" = 200 ]"]
# No shell and no npm between the engine and the process: SIGTERM reaches it.
# Garbage collection without threads of its own: on a busy machine, a signup would wait for them. V8 allocates no object as
# long-lived: it would decide that by what survives the first seconds, and would then keep much garbage for long. All of the
# heap is collected when it has doubled: by itself V8 does that whenever it grew by 8 MB, and signups wait.
ENTRYPOINT ["node", "--single-threaded-gc", "--max-semi-space-size=32", "--no-allocation-site-pretenuring", "--heap-growing-percent=100", "/app/bin/gatehouse.js"]
CMD ["start"]
