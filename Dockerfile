# The command line as a container, which starts the embedded Firestore unless told otherwise:
#
#   docker build -t syncguard-firestore .
#   docker run --rm -p 127.0.0.1:8080:8080 syncguard-firestore
#   docker run --rm -p 127.0.0.1:8080:8080 -v "$PWD":/project syncguard-firestore --firebase /project/firebase.json --import /project/seed
#
# Any other command takes the place of the last lines:
#
#   docker run --rm -v locks:/home/firestore/.local --entrypoint java syncguard-firestore -cp '/opt/syncguard/lib/*' dev.syncguard.cli.Main list
#
# Clients on the host use FIRESTORE_EMULATOR_HOST=localhost:8080. Containers that call it by another name need
# --allow-host NAME. Without rules everybody who reaches the port may do everything, so publish it to this machine only.
FROM debian:12 AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates maven openjdk-17-jdk-headless
WORKDIR /source
COPY . .
RUN ./syncguard version && cp -r ".syncguard/$(cat .syncguard/current)/lib" /lib-of-syncguard

FROM debian:12
RUN apt-get update \
    && apt-get install -y --no-install-recommends openjdk-17-jre-headless \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home firestore
COPY --from=build /lib-of-syncguard /opt/syncguard/lib
USER firestore
WORKDIR /home/firestore
EXPOSE 8080
ENTRYPOINT ["java", "-cp", "/opt/syncguard/lib/*", "dev.syncguard.cli.Main", "firestore", "--no-console", "--host", "0.0.0.0", "--port", "8080"]
