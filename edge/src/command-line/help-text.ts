import { CAMERA_FORMATS } from '@hlid/protocol/camera/camera-formats';

const FORMATS = Object.entries(CAMERA_FORMATS)
  .map(([name, { maker }]) => `      ${name.padEnd(12)} ${maker}`)
  .join('\n');

export const HELP_TEXT = `hlid-edge: the daemon of one car park, and its technician's tools

Usage: npm run -s edge -- [COMMAND]

  (nothing)
      Runs the daemon until it is told to stop (SIGTERM or Ctrl-C).

  camera parse --format FORMAT [--serial NUMBER] FILE
      What the daemon makes of a camera's document, as one line of JSON. FILE is the body that the camera
      posts, - is standard input. FORMAT is one of
${FORMATS}
      --serial is what a Survision camera sends in its header survision-serial-number.

  camera discover [--seconds N] [--json]
      The ONVIF devices of the network: addresses, names, profiles (M tells of plates).

  camera snapshot CAMERA [--out FILE] [--user NAME] [--self-signed] [--json]
      What a camera sees now, as a file. CAMERA is a camera of the configuration that has onvif, or the address of
      any device's service (http://192.168.1.64/onvif/device_service); its user is --user then, its password
      what stands in HLID_ONVIF_PASSWORD.

  camera watch CAMERA [--seconds N] [--user NAME] [--self-signed] [--json]
      What an ONVIF camera tells, as it comes: plates as the daemon would read them, relays, inputs, and any other
      event by its topic. Until Ctrl-C, or for so many seconds.

  gate list [--json]
      How the gates stand, and which of them somebody holds open or keeps closed. These tools talk to the daemon
      that runs on the data folder.

  gate pulse LANE [--why TEXT]
      Opens a gate once; the car that waits there goes, whatever it owes. Prints JSON.

  gate hold LANE | --all [--why TEXT] [--json]
  gate close LANE | --all [--why TEXT] [--json]
  gate release LANE | --all [--why TEXT] [--json]
      Holds a gate open, or keeps it closed (an exit for 15 minutes at most), until it is released: back to
      automatic. All of it is recorded, with the reason.

  config check
      Reads the configuration as the daemon would, and names every mistake with its key and line.

  --help, -h      this text
  --version       the version

Environment:
  HLID_DATA_DIR      where the daemon keeps its database (./data)
  HLID_EDGE_CONFIG   its configuration (edge.yaml in the data folder)
  HLID_EDGE_PORT     of the page of the lanes and the local API, on 127.0.0.1 (7070)
  HLID_CAMERA_PORT   to which the cameras post (7071)
  HLID_ONVIF_PASSWORD  of the user that camera snapshot and camera watch are told
  HLID_ONVIF_PROBE   HOST:PORT that camera discover asks, where the network lets no multicast through
  HLID_LOG_LEVEL     fatal, error, warn, info (usual), debug, trace or silent
  A port of 0 is any free one.

Results go to standard output, complaints to standard error. Exit codes: 0 done, 1 failed or refused,
2 wrong usage or a configuration that is not right.
`;
