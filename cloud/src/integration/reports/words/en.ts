/** The texts of spreadsheets. */
export const FILE_EN = {
  visits: {
    sheet: 'Visits',
    headers: {
      site: 'Site',
      plate: 'Plate',
      startedOn: 'In',
      endedOn: 'Out',
      stay: 'Stay',
      status: 'Status',
      paymentStatus: 'Settled by',
      stayPrice: 'Price of stay',
      due: 'Due',
      invoiceNumber: 'Invoice no.',
      invoiced: 'Invoiced',
      invoiceStatus: 'Invoice status',
      currency: 'Currency',
      category: 'Category',
      customer: 'Customer',
      flags: 'Remarks',
      id: 'Id',
    },
    category: {
      light: 'Light',
      heavy: 'Heavy',
    },
  },
  traffic: {
    sheet: 'Traffic',
    headers: {
      weekday: 'Weekday',
      from: 'From',
      arrivals: 'In',
      departures: 'Out',
      arrivalsPerHour: 'In per hour',
      departuresPerHour: 'Out per hour',
      inside: 'Cars inside',
    },
  },
} as const;
