# The image of `assay`. BASE is any image with Node 20.19 or newer, npm, a shell and a user `node`.
ARG BASE=node:20-slim

FROM ${BASE} AS dependencies
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts

FROM dependencies AS build
COPY . .
# In one step: nobody needs a layer with the tools.
RUN npm ci --ignore-scripts && npm run build && rm -r node_modules

FROM ${BASE}
ENV NODE_ENV=production
COPY --from=dependencies /build /opt/assay
COPY --from=build /build/LICENSE /build/README.md /opt/assay/
COPY --from=build /build/dist /opt/assay/dist
RUN ln -s /opt/assay/dist/harness/cli/main.js /usr/local/bin/assay
USER node
WORKDIR /home/node
EXPOSE 5000 5001 8080 4000
ENTRYPOINT ["assay"]
CMD ["serve", "--host", "0.0.0.0"]
