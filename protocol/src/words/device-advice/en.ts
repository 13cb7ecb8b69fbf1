import type { AlarmState, DeviceKind } from '../../records/device.ts';

/** The advice about a device that does not work. */
export const DEVICE_ADVICE_EN = {
  /** The advice for a person at the site, for all kinds of devices. */
  all: {
    silent: 'Check that the camera has power and network, sees the lane, and sends to the right address.',
    unreachable: 'Check its power, its network cable and its address.',
    'login-refused':
      'The user or the password is wrong. Correct them in the configuration and restart the daemon. If they were wrong at the device, press “Try again”, or run “camera try-again”. The daemon itself tries rarely, so that the device does not lock it out.',
    failing: 'Read what the device reports. Switch it off and on.',
    'clock-off': 'Switch on network time (NTP), and check the time zone.',
    low: 'Free space on the disk, or keep pictures for a shorter time. Gates still work.',
    full: 'Free space on the disk now. Gates still work, but visits may not be stored.',
    outdated: 'Restore the link to the cloud. Until then, old permits and prices apply.',
    differing: 'The lists are fetched again automatically. If this alarm stays, call support.',
    backlog: 'Check the link to the cloud. Nothing is lost while there is space on the disk.',
    expiring: 'Renew it before it ends.',
    replaced: 'Find out what damaged it, and whether anything is missing.',
  } satisfies Record<AlarmState, string>,
  /** The advice where the kind of device matters. */
  ofKind: {
    'camera.failing':
      'Read the detail. If its documents are refused, check that the format in its push address is that of its maker, and whether its firmware has changed. “camera parse” shows how a document is read.',
    'gate.failing':
      'Check whether the barrier moves, then the relay’s power, network and wiring. If cars wait, hold it open by hand.',
    'gate.unreachable': 'Check the relay’s power and network cable. If cars wait, open the barrier by hand.',
    'gate.login-refused':
      'The user or the password is wrong, so this gate opens for no car: hold it open by hand. Correct them in the configuration and restart the daemon. If they were wrong at the device, press “Try again”, or run “gate try-again”. The daemon itself tries rarely, so that the device does not lock it out.',
    'link.unreachable': 'Check the internet connection. The site works alone meanwhile.',
    'link.login-refused': 'The site’s credentials are no longer valid. Enrol it again.',
    'database.failing':
      'Check whether the disk is full or broken, and whether the daemon’s user may write the data folder. Exits open without the database. Entrances open by the rules while it can be read. Nothing is stored meanwhile.',
    'database.replaced':
      'The site’s database was damaged. A new one has everything that could be read. Check the open visits of the site, and replace the disk if this happens again. The damaged file is in the data folder, with a text that lists what is missing. It contains number plates: send both to support or delete them. Then this alarm ends.',
    'clock.clock-off':
      'Switch on network time (NTP) on the gate computer. Prices and permits depend on this clock.',
    'kiosk.silent':
      'The kiosk’s page has stopped or was never started. Check whether the kiosk has power and shows its first screen, then restart the service “hlid-kiosk” on the gate computer. Drivers are sent to pay by phone meanwhile. If this site’s kiosk is not Hlið’s own, set “health.kioskSilentSeconds” to null.',
    'code-reader.unreachable':
      'Check the cable of the code reader at this exit, and its “path” in the configuration. Drivers can type the code of their payment at the kiosk meanwhile.',
    'terminal.unreachable':
      'Check the terminal’s power and cable. “Ways to pay” shows whether drivers can pay elsewhere meanwhile.',
    'terminal.login-refused':
      'The terminal refuses the connection. Correct its password or its pairing in the configuration, and restart the daemon. “terminal diagnose” shows details.',
    'terminal.failing':
      'Read the detail. “payment list” shows payments that need a person: find each in the terminal’s own list of the day, and record the result (“payment booked”, “payment not-booked” or “payment given-back”). If the terminal is no longer in the configuration, you can put it back under its old id: then the daemon queries it.',
    'terminal.differing':
      'Compare the terminal’s report of the day with the payments of that day: one of the two lacks a payment.',
    'payment.failing':
      'Drivers who owe cannot pay, and the exits stay closed for them: open by hand, or hold the exits open, until a way to pay works. Then give the site a second way to pay.',
    'outbox.failing':
      'The site sends far more than it should, or what the cloud cannot read. Check its version, and whether something else uses its credentials: renew them then. Its gates work.',
    'pictures.backlog': 'Check the link to the cloud. Visits go on without their pictures.',
    'backup.failing':
      'Check whether the place of the backups can be reached and has room, then run “backup” on the gate computer.',
    'upgrade.failing':
      'Read why the new version was not kept. If it went back, the site works with the former version: correct the cause and upgrade again, or run “upgrade dismiss”.',
    'backup.outdated': 'Check the timer that runs “backup” on the gate computer, then run “backup” there.',
    'certificate.expiring':
      'Renew the certificate, and replace the old files by the new ones. Nothing needs a restart. If it is the cloud’s, its operator renews it.',
    'certificate.failing':
      'Correct the files that the detail names, or renew the certificate. Nothing needs a restart. Gates work, but cameras that push by https, or the link to the cloud, may not.',
  } satisfies Partial<Record<`${DeviceKind}.${AlarmState}`, string>>,
} as const;
