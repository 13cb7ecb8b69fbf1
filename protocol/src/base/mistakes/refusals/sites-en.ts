/** Sites, zones, cameras, commands, enrolment, webhooks and mail. */
export const SITES_EN = {
  'site-away': 'The site cannot be reached.',
  'command-not-connected': 'Not done: the site is not connected.',
  'command-unknown':
    'Not known to be done: the site did not answer within a second. What it had begun is in its events.',
  'gate-refused': 'the gate refused, or cannot do that',
  'gate-away': 'the gate cannot be reached; nothing was done',
  'gate-silent': 'the gate did not answer; it may have moved',
  'device-no-answer': 'The site did not answer in time. Try again.',
  'device-not-checkable':
    'The site cannot connect to this camera: it posts its reads by itself. A picture shows whether it works, if its address for pictures is in the configuration of the site’s computer.',
  'no-picture-source':
    'No camera here has an address for pictures. Add onvif or snapshot to the camera in the configuration of the site’s computer.',
  'camera-away': 'The camera does not answer: {detail}',
  'camera-login-refused':
    'The camera refuses user and password. Check them in its configuration, then try again.',
  'camera-no-picture': 'The camera has no picture: {detail}',
  'kiosk-away': 'No kiosk screen answers at this site.',
  'kiosk-no-picture': 'This kiosk’s page runs in a browser, which takes no pictures. It shows: {detail}',
  'picture-unsent': ({ detail }: { detail: string }) =>
    detail === ''
      ? 'The picture did not arrive. Try again.'
      : `The site has the picture and could not send it: ${detail}`,
  'picture-not-wanted': 'Nobody waits for this picture.',
  'probe-failed': 'The site’s network could not be probed: {detail}',
  'code-used':
    'This code has been used already. If that was not you, create a new one at once: it revokes the access of the one who used this code.',
  'code-expired': 'This code has run out. Have a new one made.',
  'camera-taken': 'The site has a camera {remoteId} already.',
  'zone-taken': 'The site has a zone “{name}” already.',
  'webhook-taken': 'There is a webhook “{name}” to that address already.',
  'feed-range-gone': 'That range of the feed is gone. Take the snapshot.',
  'too-many-streams': 'Too many streams are open here. Try again later.',
  'which-site': 'say which site',
  'no-url': 'is not a URL',
  'https-needed': 'has to begin with https://',
  'password-in-url': 'has no user and password in it: what is sent is signed',
  'internal-address': 'leads into an internal network',
  'no-event-yet': 'there is no such event yet',
  'recovery-not-repeated': 'A link for a new password is not sent again: a new one has to be asked for.',
  'no-site-of-id': 'there is no site {id}',
  'lane-of-another-zone': '{lane} leads into “{zone}” already',
  'call-over': 'This call is over.',
  'say-what-was-done': 'say what was done',
  'note-with-other': 'say with the reason `other` what it is',
  'car-gone': 'The car is gone. Nothing was done.',
  'another-car': 'Another car stands there now. Nothing was done.',
  'lanes-not-known': 'which lanes lead into this zone is not known',
  'console-address': 'an address within /console/',
  'operators-share': 'only operators share views',
  'call-taken': ({ name }: { name: string | null }) =>
    `This call was accepted by ${name ?? 'somebody else'}.`,
  'send-form': 'Send a form: Content-Type: multipart/form-data',
  'package-form': 'the form needs the file `package` and its `signature`',
  'package-name': 'the file is called hlid-edge_<version>_<amd64 or arm64>.deb',
  'not-a-package': 'is no Debian package',
  'package-too-large': 'has at most {bytes} bytes',
  'package-signature': 'is no signature of minisign',
  'other-package':
    'There is another package of {version} for {architecture}. A new package needs a new version.',
  'package-in-use': 'A rollout that is not over needs this package.',
  'no-package': 'there is no package of {version}',
  'no-sites': 'There is no site to upgrade.',
  'rollout-not-over': 'The rollout of {version} is not over. End it first.',
  'rollout-over': 'This rollout is over.',
  'nothing-to-retry': 'the site has its order, or has the version',
  'too-many-views': 'An account has {max} views at most.',
} as const;
