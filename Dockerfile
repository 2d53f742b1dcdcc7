# The local server in a container, for those who do not run it on AWS Lambda.
#
#   docker build -t shelfmark .
#   docker run --rm -p 127.0.0.1:8787:8787 -v "$PWD/dist:/site:ro" -v shelfmark-feedback:/feedback shelfmark
#
# The site's artifact is mounted, so that new content needs no new image. Behind a public name, set SHELFMARK_ALLOWED_HOSTS to it, and
# put something in front that speaks TLS and limits how many requests come.
FROM rust:1.95-bookworm AS build
WORKDIR /src
COPY . .
RUN cargo build --locked --release -p runtime --bin local --no-default-features --features local

FROM debian:bookworm-slim
RUN useradd --system --uid 10001 --no-create-home shelfmark \
    && install -d -o shelfmark /feedback
COPY --from=build /src/target/release/local /usr/local/bin/local
USER shelfmark
ENV SHELFMARK_ARTIFACT=/site/site.shelf \
    SHELFMARK_FEEDBACK=/feedback/feedback.db
VOLUME /feedback
EXPOSE 8787
ENTRYPOINT ["local"]
CMD ["serve", "--addr", "0.0.0.0:8787"]
