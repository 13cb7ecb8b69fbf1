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

  config check
      Reads the configuration as the daemon would, and names every mistake with its key and line.

  --help, -h      this text
  --version       the version

Environment:
  HLID_DATA_DIR      where the daemon keeps its database (./data)
  HLID_EDGE_CONFIG   its configuration (edge.yaml in the data folder)
  HLID_EDGE_PORT     of the page of the lanes and the local API, on 127.0.0.1 (7070)
  HLID_CAMERA_PORT   to which the cameras post (7071)
  HLID_LOG_LEVEL     fatal, error, warn, info (usual), debug, trace or silent
  A port of 0 is any free one.

Results go to standard output, complaints to standard error. Exit codes: 0 done, 1 failed or refused,
2 wrong usage or a configuration that is not right.
`;
