/** The purpose of each room, in two sentences. */
export const help = {
  now: 'Every lane with the car that stands there, live. Open, hold or close a gate here; each command is stored with your name and reason.',
  visits:
    'Every stay, from the entry to the exit, with its pictures and price. Open one to correct the plate, settle, void or reopen it; nothing is lost, and each change has a reason.',
  review:
    'Reads and visits on which a person must decide, the oldest first. Answer by keys; the next case is loaded already.',
  money:
    'Payments that need a person, visits that are not paid, invoices, the days of terminals, and billing runs. What moves money asks for a fresh proof that it is you.',
  approvals:
    'Refunds, waivers and credits above a limit of their site, which wait for a second person. Approve what you have looked at, or refuse it with a reason; what you asked for yourself, another person decides.',
  permits:
    'Plates that park free or at agreed hours, and plates that are blocked. A change reaches every site within a second.',
  customers:
    'Companies and vehicle owners: who pays for which cars, how, and by when. An invoice to a customer goes by what is set here at that time.',
  vehicles:
    'What is known of a plate: its owner from the register, who pays for it, and its stays. A correction here holds until you take it back.',
  quotas:
    'Days and units that were bought beforehand, and how many are left. The site counts them off at the exit, also without the line to the cloud.',
  products:
    'Prices: what a stay costs, for which cars, at which site. Sample stays are priced while you type, by the same rule as at the gate.',
  reports:
    'Income, visits and traffic over time, each as a chart, a table and a file. The figures are those of the books.',
  accounts:
    'Who may log in, and what each person may do at which site. Invite people by mail, and let them leave in one step when their work ends.',
  devices:
    'Cameras, gates, terminals and computers of each site: what works, since when, and what to do. A new site’s computer is connected in the tab Connection.',
  cameras:
    'The cameras of each lane, their picture now, and from which score a read counts. Cameras in the network of a site are found by themselves.',
  zones:
    'Parts of a car park with spaces of their own, and how many cars are inside. Correct the count here when it has drifted; the reason is kept.',
  sites:
    'Each car park with its settings, and the place to open a new one. A change is at the gate within a second if the site is connected.',
  upgrades:
    'New versions of the program for the sites, ring by ring. A site that does not come back well goes back by itself.',
  webhooks:
    'Other systems that are informed of visits, payments and alarms, in order and again until they accept. What failed can be sent again from here.',
  mail: 'Every mail that the system sends: what waits, what was sent, what failed and why. Send one again when its cause is mended.',
  audit: 'Who changed what, when and why, with the value before. Lines are only ever added.',
  privacy:
    'How long data is kept, what was erased, and everything about one plate. Export it for its owner, or erase it.',
  training:
    'Six lessons on a simulated car park, never on a real one. Each makes something happen, and ticks its steps by what you do in the other rooms.',
  login: 'Your own name, password, second factors and sessions. End a session here if a device is lost.',
  company:
    'What your company pays for, and how it is reached. Some fields are changed by the car park’s office only.',
} as const;
