export const title = 'Training';
export const intro =
  'The car park here is simulated: try anything. A lesson makes something happen, and its steps are ticked by what you do in the ordinary rooms.';
export const trainerAway =
  'The program that simulates the car park does not answer. Start it again to begin a lesson.';
export const start = 'Begin the lesson';
export const again = 'Once more';
export const car = 'The car';
export const firstCar = 'First car';
export const secondCar = 'Second car';
export const readAs = 'Read as';
export const goTo = 'Go to {room}';
export const states = {
  new: 'New',
  begun: 'Begun',
  done: 'Done',
} as const;
export const elsewhere = {
  title: 'These car parks are real',
  why: 'Lessons are never given here, where cars and money are real. They are on a training installation: the same console, with a simulated car park.',
  how: 'On any computer with Node.js, in the folder of the program:',
  after: 'It prints the address and a login of its own. Every screen of it is marked. There are six lessons:',
} as const;
export const lessons = {
  'first-car': {
    title: 'The first car',
    teaches: 'A car comes in, and you find it by its plate. A permit lets it out again without a payment.',
    done: 'The car has left. The page of its visit shows its whole way.',
    steps: {
      arrived: {
        title: 'The car drives in',
        hint: 'It comes to an entrance within seconds. Watch the lanes.',
      },
      found: {
        title: 'You find it',
        hint: 'Press Ctrl+K anywhere and type its plate, or a part of it.',
      },
      permit: {
        title: 'You give it a permit',
        hint: 'Choose New permit and type the plate with a reason. It is at the gate within a second.',
      },
      left: {
        title: 'It drives out',
        hint: 'The driver goes to an exit, which opens because of your permit.',
      },
    },
  },
  'misread-plate': {
    title: 'A misread plate',
    teaches:
      'The camera has missed the last character of a plate, so that the permit of the car does not count. You compare the read with the picture and correct it.',
    done: 'The plate is right, and the permit has let the car out.',
    steps: {
      misread: { title: 'The car comes in under a wrong plate', hint: 'It takes some seconds.' },
      corrected: {
        title: 'You correct the plate',
        hint: 'Compare the plate with the picture, in Review or on the page of the visit, and type what you see.',
      },
      left: { title: 'It drives out', hint: 'The driver goes to an exit, which knows the permit now.' },
    },
  },
  'no-money': {
    title: 'A driver without money',
    teaches:
      'A driver stands at an exit and cannot pay. You decide what becomes of the fee, and open for this car.',
    done: 'The driver is out, and it is written down who decided what, and why.',
    steps: {
      'at-exit': {
        title: 'The car stands at the exit',
        hint: 'The gate stays closed because something is due. Watch the lanes.',
      },
      decided: {
        title: 'You decide about the fee and open',
        hint: 'Choose Open at the lane where the car stands. Choose what becomes of the fee, and give a reason.',
      },
      left: { title: 'It drives out', hint: 'The gate opens, and the visit ends.' },
    },
  },
  'device-down': {
    title: 'A device is down',
    teaches:
      'The card terminal does not answer any more. You find out since when, read what to do, and have the site connect again.',
    done: 'The terminal works again. The page of the device keeps what happened.',
    steps: {
      down: { title: 'The card terminal stops', hint: 'The site finds it out within half a minute.' },
      tried: {
        title: 'You let the site try again',
        hint: 'Open the terminal in Devices, read the advice, and choose Try again. Somebody at the site switches it on then.',
      },
      works: {
        title: 'It works again',
        hint: 'It takes some seconds. Try again once more if it takes longer.',
      },
    },
  },
  refund: {
    title: 'A refund',
    teaches:
      'A driver has paid by card and should not have. You refund the invoice, and the money goes back to the card.',
    done: 'The money is back on the card, and a credit note stands in the books.',
    steps: {
      paid: { title: 'The driver pays by phone and leaves', hint: 'It takes some seconds.' },
      refunded: {
        title: 'You refund the invoice',
        hint: 'Open the invoice, choose Refund, and give a reason. It asks for a fresh proof that it is you.',
      },
      'money-back': { title: 'The money is on its way back', hint: 'The bank answers within seconds.' },
    },
  },
  'closing-day': {
    title: 'Closing a day',
    teaches:
      'At the end of a day nothing should be left open: a stay that nobody has paid, and a payment that the bank takes back. You deal with both, and sign the day.',
    done: 'Nothing of this is open. Compare the income of the day in Reports with the payments.',
    steps: {
      prepared: { title: 'The day has brought what it brings', hint: 'It takes some seconds.' },
      'unpaid-settled': {
        title: 'You settle the stay of the first car',
        hint: 'It stands in Money, Unpaid. Waive it with a reason, or record how it was paid.',
      },
      'doubt-answered': {
        title: 'You answer the chargeback of the second car',
        hint: 'Open the payment, and record how the chargeback has ended.',
      },
      'day-signed': {
        title: 'You sign the day',
        hint: 'In Money, Day close: close today, decide about each difference, and sign. Here a day need not be over.',
      },
    },
  },
} as const;
