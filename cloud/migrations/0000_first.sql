CREATE TABLE `idempotency_key` (
	`caller` text NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`status` integer,
	`location` text,
	`content_type` text,
	`body` text,
	`created_at` text NOT NULL,
	PRIMARY KEY(`caller`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotency_key_by_age` ON `idempotency_key` (`created_at`);--> statement-breakpoint
CREATE TABLE `server_secret` (
	`name` text PRIMARY KEY NOT NULL,
	`secret` text NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `cloud_instance` (
	`id` text PRIMARY KEY NOT NULL,
	`started_at` text NOT NULL,
	`alive_until` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `job` (
	`name` text PRIMARY KEY NOT NULL,
	`held_by` text,
	`held_until` text,
	`last_started_at` text,
	`last_done_at` text,
	`last_error` text
);
--> statement-breakpoint
CREATE TABLE `account` (
	`id` text PRIMARY KEY NOT NULL,
	`role` text NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`name_folded` text NOT NULL,
	`comment` text,
	`comment_key` text,
	`status` text NOT NULL,
	`options` text NOT NULL,
	`permissions` text,
	`site_ids` text,
	`customer_id` text,
	`created_at` text NOT NULL,
	`modified_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `account_by_creation` ON `account` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `account_by_name` ON `account` (`name_key`,`id`);--> statement-breakpoint
CREATE INDEX `account_by_status` ON `account` (`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `account_by_role` ON `account` (`role`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `account_by_comment` ON `account` (`comment_key`);--> statement-breakpoint
CREATE INDEX `account_by_customer` ON `account` (`customer_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `login` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`name` text,
	`ssn` text,
	`password_hash` text,
	`expires_at` text,
	`created_at` text NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `login_name_unique` ON `login` (`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `login_ssn_unique` ON `login` (`ssn`);--> statement-breakpoint
CREATE INDEX `login_by_account` ON `login` (`account_id`);--> statement-breakpoint
CREATE TABLE `approval` (
	`id` blob PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`subject_id` blob NOT NULL,
	`args` text NOT NULL,
	`site_id` int,
	`visit_id` blob,
	`invoice_id` blob,
	`payment_id` blob,
	`dispute_id` blob,
	`amount_minor` integer,
	`currency` text,
	`reason` text NOT NULL,
	`state` text NOT NULL,
	`requested_by` text NOT NULL,
	`requested_at` text NOT NULL,
	`expires_at` text NOT NULL,
	`decided_by` text,
	`decided_at` text,
	`answer` text,
	`problems` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `approval_waiting` ON `approval` (`kind`,`subject_id`) WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX `approval_by_state` ON `approval` (`state`,`requested_at`);--> statement-breakpoint
CREATE INDEX `approval_by_time` ON `approval` (`requested_at`);--> statement-breakpoint
CREATE INDEX `approval_by_site` ON `approval` (`site_id`,`requested_at`) WHERE site_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `approval_by_end` ON `approval` (`expires_at`) WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX `approval_by_visit` ON `approval` (`visit_id`,`requested_at`) WHERE visit_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `approval_by_invoice` ON `approval` (`invoice_id`,`requested_at`) WHERE invoice_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `approval_by_payment` ON `approval` (`payment_id`,`requested_at`) WHERE payment_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `approval_decided` ON `approval` (`decided_at`) WHERE decided_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `audit` (
	`id` text PRIMARY KEY NOT NULL,
	`at` text NOT NULL,
	`by` text NOT NULL,
	`action` text NOT NULL,
	`subject` text NOT NULL,
	`subject_id` text NOT NULL,
	`site_id` int,
	`before` text,
	`after` text,
	`reason` text,
	`request_id` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_by_time` ON `audit` (`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_by_subject` ON `audit` (`subject`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_by_row` ON `audit` (`subject_id`,`subject`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_by_site` ON `audit` (`site_id`,`at`,`id`) WHERE site_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `audit_by_action` ON `audit` (`action`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_by_person` ON `audit` (`by`,`at`,`id`);--> statement-breakpoint
CREATE TABLE `api_key` (
	`id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`origin` text NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_key_hash_unique` ON `api_key` (`hash`);--> statement-breakpoint
CREATE TABLE `driver_link` (
	`hash` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`language` text NOT NULL,
	`expires_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `driver_link_by_expiry` ON `driver_link` (`expires_at`);--> statement-breakpoint
CREATE INDEX `driver_link_by_email` ON `driver_link` (`email`);--> statement-breakpoint
CREATE TABLE `login_attempt` (
	`key` text PRIMARY KEY NOT NULL,
	`attempts` integer NOT NULL,
	`ends_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `login_attempt_by_end` ON `login_attempt` (`ends_at`);--> statement-breakpoint
CREATE TABLE `recovery` (
	`hash` text PRIMARY KEY NOT NULL,
	`login_id` text NOT NULL,
	`expires_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `recovery_by_expiry` ON `recovery` (`expires_at`);--> statement-breakpoint
CREATE INDEX `recovery_by_login` ON `recovery` (`login_id`);--> statement-breakpoint
CREATE TABLE `token` (
	`id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`account_id` text,
	`role` text,
	`driver_id` text,
	`camera_id` text,
	`path` text,
	`login_id` text,
	`scope` text,
	`is_session` integer DEFAULT false NOT NULL,
	`method` text,
	`address` text,
	`agent` text,
	`stepped_up_at` text,
	`name` text,
	`site_id` int,
	`options` text,
	`device_uuid` text,
	`created_at` text NOT NULL,
	`used_at` text,
	`expires_at` text,
	`revoked_at` text,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`driver_id`) REFERENCES `driver`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `token_hash_unique` ON `token` (`hash`);--> statement-breakpoint
CREATE INDEX `token_by_account` ON `token` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `token_by_driver` ON `token` (`driver_id`);--> statement-breakpoint
CREATE INDEX `token_by_expiry` ON `token` (`expires_at`);--> statement-breakpoint
CREATE INDEX `token_by_creation` ON `token` (`created_at`,`id`) WHERE name IS NOT NULL;--> statement-breakpoint
CREATE TABLE `billing_run` (
	`id` text PRIMARY KEY NOT NULL,
	`until` text NOT NULL,
	`invoices` integer NOT NULL,
	`amounts` text NOT NULL,
	`by` text NOT NULL,
	`started_at` text NOT NULL,
	`done_at` text,
	`error` text
);
--> statement-breakpoint
CREATE INDEX `billing_run_by_start` ON `billing_run` (`started_at`,`id`);--> statement-breakpoint
CREATE TABLE `bookkeeping_plan` (
	`site_id` int PRIMARY KEY NOT NULL,
	`lines` text NOT NULL,
	`datev` text,
	`modified_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `bank_agreement` (
	`bank_id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`branch` text NOT NULL,
	`template_code` text NOT NULL,
	`licence` text,
	`has_interest` integer NOT NULL,
	`default_charge` text,
	`takes_part_payments` integer NOT NULL,
	`modified_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `claim_movement` (
	`claim_id` blob NOT NULL,
	`n` integer NOT NULL,
	`kind` text NOT NULL,
	`at` text NOT NULL,
	`booked_on` text NOT NULL,
	`value_on` text NOT NULL,
	`principal_minor` integer NOT NULL,
	`discount_minor` integer NOT NULL,
	`interest_minor` integer NOT NULL,
	`costs_minor` integer NOT NULL,
	`deposited_minor` integer NOT NULL,
	`seen_at` text NOT NULL,
	PRIMARY KEY(`claim_id`, `n`)
);
--> statement-breakpoint
CREATE INDEX `claim_movement_by_day` ON `claim_movement` (`booked_on`);--> statement-breakpoint
CREATE TABLE `claim_series` (
	`claimant_id` text NOT NULL,
	`branch` text NOT NULL,
	`last` integer NOT NULL,
	PRIMARY KEY(`claimant_id`, `branch`)
);
--> statement-breakpoint
CREATE TABLE `claim` (
	`id` blob PRIMARY KEY NOT NULL,
	`bank_id` text NOT NULL,
	`invoice_id` blob NOT NULL,
	`site_id` int,
	`claimant_id` text NOT NULL,
	`account` text NOT NULL,
	`due_on` text NOT NULL,
	`payor_id` text NOT NULL,
	`template_code` text NOT NULL,
	`bill_number` text NOT NULL,
	`state` text NOT NULL,
	`collection` text,
	`currency` text NOT NULL,
	`terms` text NOT NULL,
	`paid_minor` integer DEFAULT 0 NOT NULL,
	`due_minor` integer,
	`movements` integer DEFAULT 0 NOT NULL,
	`claim_order` text,
	`step` text,
	`wanted` text,
	`stopped` text,
	`reason` text,
	`detail` text,
	`followed_at` text,
	`created_at` text NOT NULL,
	`modified_at` text NOT NULL,
	`due_at` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`held_by` text
);
--> statement-breakpoint
CREATE INDEX `claim_due` ON `claim` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `claim_held` ON `claim` (`held_by`) WHERE due_at IS NOT NULL AND held_by IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `claim_by_key` ON `claim` (`account`,`claimant_id`,`due_on`);--> statement-breakpoint
CREATE INDEX `claim_by_invoice` ON `claim` (`invoice_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `claim_by_due` ON `claim` (`due_on`);--> statement-breakpoint
CREATE INDEX `claim_by_time` ON `claim` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `claim_by_site` ON `claim` (`site_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `claim_by_state` ON `claim` (`state`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `closed_book` (
	`id` blob PRIMARY KEY NOT NULL,
	`site_id` int NOT NULL,
	`day` text NOT NULL,
	`entries` blob NOT NULL,
	`stored_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `closed_book_by_site` ON `closed_book` (`site_id`,`day`);--> statement-breakpoint
CREATE INDEX `closed_book_by_day` ON `closed_book` (`day`);--> statement-breakpoint
CREATE TABLE `collection_file` (
	`id` blob PRIMARY KEY NOT NULL,
	`site_id` int,
	`day` text NOT NULL,
	`invoices` integer NOT NULL,
	`total_minor` integer NOT NULL,
	`created_at` text NOT NULL,
	`created_by` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `collection_file_by_time` ON `collection_file` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `collection_file_by_site` ON `collection_file` (`site_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `collection_item` (
	`invoice_id` blob PRIMARY KEY NOT NULL,
	`file_id` blob NOT NULL,
	`n` integer NOT NULL,
	`site_id` int,
	`number` integer NOT NULL,
	`creditor_name` text,
	`creditor_id` text,
	`debtor_name` text,
	`debtor_id` text,
	`currency` text NOT NULL,
	`open_minor` integer NOT NULL,
	`charges_minor` integer NOT NULL,
	`charges` text NOT NULL,
	`credited_minor` integer NOT NULL,
	`issued_on` text NOT NULL,
	`due_on` text NOT NULL,
	`interest_from` text NOT NULL,
	`notices` text NOT NULL,
	`link` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `collection_item_by_file` ON `collection_item` (`file_id`,`n`);--> statement-breakpoint
CREATE TABLE `day_close` (
	`id` blob PRIMARY KEY NOT NULL,
	`site_id` int NOT NULL,
	`day` text NOT NULL,
	`state` text NOT NULL,
	`revision` integer NOT NULL,
	`columns` text NOT NULL,
	`expected` text NOT NULL,
	`arrived` text NOT NULL,
	`snapshot` blob NOT NULL,
	`computed_at` text NOT NULL,
	`computed_by` text NOT NULL,
	`signed_at` text,
	`signed_by` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `day_close_by_site` ON `day_close` (`site_id`,`day`);--> statement-breakpoint
CREATE INDEX `day_close_by_day` ON `day_close` (`day`,`id`);--> statement-breakpoint
CREATE INDEX `day_close_of_site` ON `day_close` (`site_id`,`day`,`id`);--> statement-breakpoint
CREATE INDEX `day_close_by_state` ON `day_close` (`state`,`day`,`id`);--> statement-breakpoint
CREATE TABLE `day_difference` (
	`close_id` blob NOT NULL,
	`n` integer NOT NULL,
	`key` text NOT NULL,
	`kind` text NOT NULL,
	`cause` text,
	`of_close_id` blob,
	`amount_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`rows` text NOT NULL,
	`decision` text NOT NULL,
	`reason` text,
	`decided_by` text,
	`decided_at` text,
	`assignee_id` text,
	`answer` text,
	PRIMARY KEY(`close_id`, `n`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `day_difference_by_key` ON `day_difference` (`close_id`,`key`);--> statement-breakpoint
CREATE TABLE `site_closing` (
	`site_id` int PRIMARY KEY NOT NULL,
	`closes_itself` integer NOT NULL,
	`from_day` text NOT NULL,
	`modified_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `money_account` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`reference` text NOT NULL,
	`name` text NOT NULL,
	`site_id` int,
	`time_zone` text NOT NULL,
	`gateway_id` text,
	`pays_into_id` text,
	`mapping` text,
	`fee_contract` text,
	`created_at` text NOT NULL,
	`modified_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `money_account_by_reference` ON `money_account` (`kind`,`reference`);--> statement-breakpoint
CREATE INDEX `money_account_by_time` ON `money_account` (`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `bank_entry` (
	`file_id` text NOT NULL,
	`n` integer NOT NULL,
	`line` integer NOT NULL,
	`statement_id` text NOT NULL,
	`account_id` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`booked_on` text NOT NULL,
	`value_on` text,
	`is_reversal` integer NOT NULL,
	`reference` text,
	`end_to_end_id` text,
	`counterpart` text,
	`entry_text` text,
	`transactions` integer,
	`batch_id` text,
	`match` text NOT NULL,
	PRIMARY KEY(`file_id`, `n`)
);
--> statement-breakpoint
CREATE INDEX `bank_entry_by_account` ON `bank_entry` (`account_id`,`booked_on`);--> statement-breakpoint
CREATE INDEX `bank_entry_by_reference` ON `bank_entry` (`account_id`,`reference`) WHERE reference IS NOT NULL;--> statement-breakpoint
CREATE INDEX `bank_entry_by_batch` ON `bank_entry` (`batch_id`) WHERE batch_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `bank_entry_named` ON `bank_entry` (`booked_on`) WHERE (counterpart IS NOT NULL OR entry_text IS NOT NULL);--> statement-breakpoint
CREATE INDEX `bank_entry_unmatched` ON `bank_entry` (`booked_on`) WHERE batch_id IS NULL;--> statement-breakpoint
CREATE TABLE `bank_statement` (
	`id` text PRIMARY KEY NOT NULL,
	`file_id` text NOT NULL,
	`account_id` text NOT NULL,
	`reference` text NOT NULL,
	`currency` text NOT NULL,
	`from_day` text NOT NULL,
	`until_day` text NOT NULL,
	`opening_minor` integer,
	`closing_minor` integer,
	`entry_count` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `bank_statement_by_reference` ON `bank_statement` (`account_id`,`reference`,`from_day`);--> statement-breakpoint
CREATE INDEX `bank_statement_by_file` ON `bank_statement` (`file_id`);--> statement-breakpoint
CREATE INDEX `bank_statement_by_day` ON `bank_statement` (`account_id`,`until_day`);--> statement-breakpoint
CREATE TABLE `money_file` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`hash` text NOT NULL,
	`name` text NOT NULL,
	`format` text NOT NULL,
	`bytes` integer NOT NULL,
	`rows` integer NOT NULL,
	`site_id` int,
	`warnings` text NOT NULL,
	`imported_by` text NOT NULL,
	`imported_at` text NOT NULL,
	`used_by` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `money_file_by_hash` ON `money_file` (`hash`);--> statement-breakpoint
CREATE INDEX `money_file_by_kind` ON `money_file` (`kind`,`imported_at`,`id`);--> statement-breakpoint
CREATE TABLE `settlement_batch` (
	`id` text PRIMARY KEY NOT NULL,
	`file_id` text NOT NULL,
	`account_id` text NOT NULL,
	`reference` text NOT NULL,
	`currency` text NOT NULL,
	`state` text NOT NULL,
	`paid_on` text,
	`gross_minor` integer NOT NULL,
	`fee_minor` integer NOT NULL,
	`payout_minor` integer NOT NULL,
	`carried_in_minor` integer NOT NULL,
	`carried_out_minor` integer NOT NULL,
	`rounding_minor` integer NOT NULL,
	`row_count` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `settlement_batch_by_reference` ON `settlement_batch` (`account_id`,`reference`,`currency`);--> statement-breakpoint
CREATE INDEX `settlement_batch_by_file` ON `settlement_batch` (`file_id`);--> statement-breakpoint
CREATE INDEX `settlement_batch_by_day` ON `settlement_batch` (`paid_on`) WHERE paid_on IS NOT NULL;--> statement-breakpoint
CREATE INDEX `settlement_batch_unpaid` ON `settlement_batch` (`id`) WHERE paid_on IS NULL;--> statement-breakpoint
CREATE TABLE `settlement_row` (
	`file_id` text NOT NULL,
	`n` integer NOT NULL,
	`line` integer NOT NULL,
	`batch_id` text NOT NULL,
	`kind` text NOT NULL,
	`reference` text,
	`own_reference` text,
	`merchant_reference` text,
	`authorisation` text,
	`terminal` text,
	`last_four` text,
	`method` text,
	`at` integer,
	`booked_on` text NOT NULL,
	`currency` text NOT NULL,
	`gross_minor` integer NOT NULL,
	`fee_minor` integer NOT NULL,
	`payment_id` blob,
	`match` text NOT NULL,
	PRIMARY KEY(`file_id`, `n`)
);
--> statement-breakpoint
CREATE INDEX `settlement_row_by_batch` ON `settlement_row` (`batch_id`,`n`);--> statement-breakpoint
CREATE INDEX `settlement_row_open` ON `settlement_row` (`booked_on`) WHERE match IN ('none', 'ambiguous', 'not-booked');--> statement-breakpoint
CREATE INDEX `settlement_row_by_payment` ON `settlement_row` (`payment_id`) WHERE payment_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `settlement_row_unmatched` ON `settlement_row` (`booked_on`) WHERE payment_id IS NULL;--> statement-breakpoint
CREATE TABLE `reminder` (
	`id` blob PRIMARY KEY NOT NULL,
	`invoice_id` blob NOT NULL,
	`site_id` int,
	`step` text NOT NULL,
	`mail_id` text,
	`open_minor` integer NOT NULL,
	`charge_minor` integer NOT NULL,
	`charge_net_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`created_at` text NOT NULL,
	`delivered_at` text,
	`charge_invoice_id` blob
);
--> statement-breakpoint
CREATE UNIQUE INDEX `reminder_by_invoice` ON `reminder` (`invoice_id`,`step`);--> statement-breakpoint
CREATE INDEX `reminder_undelivered` ON `reminder` (`created_at`,`id`) WHERE delivered_at IS NULL;--> statement-breakpoint
CREATE INDEX `reminder_by_time` ON `reminder` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `reminder_by_site` ON `reminder` (`site_id`,`created_at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `reminder_by_charge` ON `reminder` (`charge_invoice_id`) WHERE charge_invoice_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `reminder_terms` (
	`site_id` int PRIMARY KEY NOT NULL,
	`is_on` integer NOT NULL,
	`from_day` text NOT NULL,
	`warning_days` integer NOT NULL,
	`warning_charge` integer NOT NULL,
	`letters` integer NOT NULL,
	`letter_days` integer NOT NULL,
	`letter_charge` integer NOT NULL,
	`modified_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `help_call` (
	`id` text PRIMARY KEY NOT NULL,
	`site_id` int NOT NULL,
	`terminal_id` text,
	`visit_id` blob,
	`language` text NOT NULL,
	`state` text NOT NULL,
	`at` text NOT NULL,
	`accepted_by` text,
	`accepted_by_name` text,
	`accepted_at` text,
	`closed_by` text,
	`closed_at` text,
	`done` text,
	`note` text
);
--> statement-breakpoint
CREATE INDEX `help_call_by_state` ON `help_call` (`state`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `help_call_by_time` ON `help_call` (`at`,`id`);--> statement-breakpoint
CREATE TABLE `camera` (
	`id` text PRIMARY KEY NOT NULL,
	`site_id` int NOT NULL,
	`name` text NOT NULL,
	`brand` text,
	`location` text NOT NULL,
	`remote_id` text NOT NULL,
	`status` text NOT NULL,
	`minimum_ocr_score` real NOT NULL,
	`filters` text NOT NULL,
	`created_at` text NOT NULL,
	`modified_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `camera_on_site` ON `camera` (`site_id`,`remote_id`);--> statement-breakpoint
CREATE INDEX `camera_by_creation` ON `camera` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `camera_by_status` ON `camera` (`status`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `customer` (
	`id` text PRIMARY KEY NOT NULL,
	`ssn` text,
	`name` text,
	`name_key` text DEFAULT '' NOT NULL,
	`email` text,
	`email_key` text DEFAULT '' NOT NULL,
	`phone` text,
	`language` text NOT NULL,
	`billing_method` text,
	`options` text NOT NULL,
	`created_at` text NOT NULL,
	`modified_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `customer_ssn_unique` ON `customer` (`ssn`);--> statement-breakpoint
CREATE INDEX `customer_by_creation` ON `customer` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `customer_by_name` ON `customer` (`name_key`,`id`);--> statement-breakpoint
CREATE INDEX `customer_by_email` ON `customer` (`email_key`,`id`);--> statement-breakpoint
CREATE INDEX `customer_by_billing` ON `customer` (`billing_method`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `snapshot` (
	`id` text PRIMARY KEY NOT NULL,
	`site_id` int NOT NULL,
	`at` text NOT NULL,
	`key` text,
	`bytes` integer
);
--> statement-breakpoint
CREATE INDEX `snapshot_by_age` ON `snapshot` (`at`);--> statement-breakpoint
CREATE TABLE `device_change` (
	`n` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`site_id` int NOT NULL,
	`kind` text NOT NULL,
	`device_id` text NOT NULL,
	`state` text NOT NULL,
	`detail` text NOT NULL,
	`at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `device_change_by_device` ON `device_change` (`site_id`,`kind`,`device_id`,`n`);--> statement-breakpoint
CREATE TABLE `site_device` (
	`site_id` int NOT NULL,
	`kind` text NOT NULL,
	`device_id` text NOT NULL,
	`name` text,
	`state` text NOT NULL,
	`since` text NOT NULL,
	`detail` text NOT NULL,
	`at` text NOT NULL,
	`mailed_state` text,
	`down_since` text,
	PRIMARY KEY(`site_id`, `kind`, `device_id`)
);
--> statement-breakpoint
CREATE TABLE `dispute_message` (
	`id` integer PRIMARY KEY NOT NULL,
	`dispute_id` blob NOT NULL,
	`side` text NOT NULL,
	`by` text NOT NULL,
	`body_text` text NOT NULL,
	`at` text NOT NULL,
	FOREIGN KEY (`dispute_id`) REFERENCES `dispute`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `dispute_message_by_dispute` ON `dispute_message` (`dispute_id`,`id`);--> statement-breakpoint
CREATE TABLE `dispute_read` (
	`dispute_id` blob NOT NULL,
	`photo_id` blob NOT NULL,
	PRIMARY KEY(`photo_id`, `dispute_id`),
	FOREIGN KEY (`dispute_id`) REFERENCES `dispute`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `dispute_read_by_dispute` ON `dispute_read` (`dispute_id`);--> statement-breakpoint
CREATE TABLE `dispute` (
	`id` blob PRIMARY KEY NOT NULL,
	`visit_id` blob,
	`invoice_id` blob,
	`site_id` int,
	`customer_id` text,
	`source` text NOT NULL,
	`channel` text NOT NULL,
	`answer_by` text NOT NULL,
	`evidence` text,
	`opened_by` text NOT NULL,
	`email` text,
	`language` text NOT NULL,
	`body_text` text NOT NULL,
	`state` text NOT NULL,
	`opened_at` text NOT NULL,
	`answer` text,
	`answered_by` text,
	`answered_at` text,
	`given` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dispute_open_visit` ON `dispute` (`visit_id`) WHERE state = 'open' AND visit_id IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `dispute_open_invoice` ON `dispute` (`invoice_id`) WHERE state = 'open' AND invoice_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `dispute_by_state` ON `dispute` (`state`,`opened_at`);--> statement-breakpoint
CREATE INDEX `dispute_by_deadline` ON `dispute` (`answer_by`) WHERE state = 'open';--> statement-breakpoint
CREATE INDEX `dispute_by_time` ON `dispute` (`opened_at`);--> statement-breakpoint
CREATE INDEX `dispute_answered` ON `dispute` (`answered_at`) WHERE answered_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `dispute_by_visit` ON `dispute` (`visit_id`,`opened_at`) WHERE visit_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `dispute_by_invoice` ON `dispute` (`invoice_id`,`opened_at`) WHERE invoice_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `dispute_by_customer` ON `dispute` (`customer_id`,`opened_at`) WHERE customer_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `driver_card` (
	`driver_id` text PRIMARY KEY NOT NULL,
	`gateway_id` text NOT NULL,
	`token` text NOT NULL,
	`card` text NOT NULL,
	`expires` text,
	`payment_id` blob NOT NULL,
	`stored_at` text NOT NULL,
	FOREIGN KEY (`driver_id`) REFERENCES `driver`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `driver_charge` (
	`id` text PRIMARY KEY NOT NULL,
	`driver_id` text NOT NULL,
	`visit_id` blob NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`payment_id` blob,
	`amount_minor` integer DEFAULT 0 NOT NULL,
	`currency` text,
	`day` text,
	`mailed` integer DEFAULT false NOT NULL,
	`due_at` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`held_by` text,
	`created_at` text NOT NULL,
	FOREIGN KEY (`driver_id`) REFERENCES `driver`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `driver_charge_by_driver` ON `driver_charge` (`driver_id`,`day`);--> statement-breakpoint
CREATE INDEX `driver_charge_by_visit` ON `driver_charge` (`visit_id`);--> statement-breakpoint
CREATE INDEX `driver_charge_newest` ON `driver_charge` (`driver_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `driver_charge_by_creation` ON `driver_charge` (`created_at`);--> statement-breakpoint
CREATE INDEX `driver_charge_due` ON `driver_charge` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `driver_charge_held` ON `driver_charge` (`held_by`) WHERE due_at IS NOT NULL AND held_by IS NOT NULL;--> statement-breakpoint
CREATE TABLE `driver` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`ssn` text,
	`language` text NOT NULL,
	`paused_for` text,
	`caps` text,
	`created_at` text NOT NULL,
	`used_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `driver_email_unique` ON `driver` (`email`);--> statement-breakpoint
CREATE UNIQUE INDEX `driver_ssn_unique` ON `driver` (`ssn`);--> statement-breakpoint
CREATE INDEX `driver_by_use` ON `driver` (`used_at`);--> statement-breakpoint
CREATE TABLE `driver_vehicle` (
	`plate` text PRIMARY KEY NOT NULL,
	`driver_id` text NOT NULL,
	`proof` text NOT NULL,
	`visit_id` blob,
	`proved_at` text NOT NULL,
	FOREIGN KEY (`driver_id`) REFERENCES `driver`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `driver_vehicle_by_driver` ON `driver_vehicle` (`driver_id`);--> statement-breakpoint
CREATE INDEX `driver_vehicle_registered` ON `driver_vehicle` (`proved_at`) WHERE proof = 'register';--> statement-breakpoint
CREATE TABLE `forgotten_card` (
	`id` text PRIMARY KEY NOT NULL,
	`gateway_id` text NOT NULL,
	`token` text NOT NULL,
	`due_at` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`held_by` text
);
--> statement-breakpoint
CREATE INDEX `forgotten_card_due` ON `forgotten_card` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `forgotten_card_held` ON `forgotten_card` (`held_by`) WHERE due_at IS NOT NULL AND held_by IS NOT NULL;--> statement-breakpoint
CREATE TABLE `run` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`product_id` blob NOT NULL,
	`site_id` int,
	`draft` text NOT NULL,
	`first_day` text NOT NULL,
	`last_day` text NOT NULL,
	`from_at` text NOT NULL,
	`before_at` text NOT NULL,
	`state` text NOT NULL,
	`done_until` text NOT NULL,
	`done` integer NOT NULL,
	`total` integer,
	`sums` text NOT NULL,
	`created_at` text NOT NULL,
	`ended_at` text,
	`error` text,
	`due_at` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`held_by` text
);
--> statement-breakpoint
CREATE INDEX `run_due` ON `run` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `run_held` ON `run` (`held_by`) WHERE due_at IS NOT NULL AND held_by IS NOT NULL;--> statement-breakpoint
CREATE INDEX `run_by_account` ON `run` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `run_by_creation` ON `run` (`created_at`);--> statement-breakpoint
CREATE TABLE `run_visit` (
	`run_id` text NOT NULL,
	`visit_id` blob NOT NULL,
	`before_minor` integer NOT NULL,
	`after_minor` integer NOT NULL,
	`difference_minor` integer NOT NULL,
	PRIMARY KEY(`run_id`, `visit_id`)
);
--> statement-breakpoint
CREATE INDEX `run_visit_by_difference` ON `run_visit` (`run_id`,`difference_minor`,`visit_id`);--> statement-breakpoint
CREATE TABLE `electronic_id_device` (
	`hash` text PRIMARY KEY NOT NULL,
	`expires_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `electronic_id_device_by_expiry` ON `electronic_id_device` (`expires_at`);--> statement-breakpoint
CREATE TABLE `electronic_id_session` (
	`hash` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`driver_id` text,
	`poll_hash` text,
	`person_hash` text,
	`step` text NOT NULL,
	`sealed` text,
	`language` text,
	`device_uuid` text,
	`is_known_device` integer NOT NULL,
	`polls` integer NOT NULL,
	`next_poll_at` text NOT NULL,
	`abandoned_at` text NOT NULL,
	`expires_at` text NOT NULL,
	FOREIGN KEY (`driver_id`) REFERENCES `driver`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `electronic_id_session_by_person` ON `electronic_id_session` (`person_hash`);--> statement-breakpoint
CREATE INDEX `electronic_id_session_by_expiry` ON `electronic_id_session` (`expires_at`);--> statement-breakpoint
CREATE INDEX `electronic_id_session_by_driver` ON `electronic_id_session` (`driver_id`) WHERE driver_id is not null;--> statement-breakpoint
CREATE TABLE `feed_change` (
	`site_id` int NOT NULL,
	`n` integer NOT NULL,
	`mark` text NOT NULL,
	`kind` text NOT NULL,
	`item_id` text NOT NULL,
	`change` text NOT NULL,
	PRIMARY KEY(`site_id`, `n`)
);
--> statement-breakpoint
CREATE INDEX `feed_change_visit` ON `feed_change` (`site_id`,`n`) WHERE kind IN ('visit', 'visit-edit');--> statement-breakpoint
CREATE INDEX `feed_change_erase` ON `feed_change` (`site_id`,`n`) WHERE kind = 'erase';--> statement-breakpoint
CREATE TABLE `feed_head` (
	`scope` int PRIMARY KEY NOT NULL,
	`n` integer NOT NULL,
	`hash` text NOT NULL,
	`compacted_to` integer DEFAULT 0 NOT NULL,
	`compacted_mark` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `feed_item` (
	`scope` int NOT NULL,
	`kind` text NOT NULL,
	`item_id` text NOT NULL,
	`digest` text,
	`item` text,
	PRIMARY KEY(`scope`, `kind`, `item_id`)
);
--> statement-breakpoint
CREATE INDEX `feed_item_by_item` ON `feed_item` (`kind`,`item_id`);--> statement-breakpoint
CREATE TABLE `first_steps_away` (
	`account_id` text PRIMARY KEY NOT NULL,
	`at` text NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `opening` (
	`id` text PRIMARY KEY NOT NULL,
	`site_id` int NOT NULL,
	`lane_id` text NOT NULL,
	`visit_id` blob NOT NULL,
	`settlement` text NOT NULL,
	`reason_code` text NOT NULL,
	`note` text NOT NULL,
	`caller` text NOT NULL,
	`request_id` text NOT NULL,
	`at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `charge` (
	`id` blob PRIMARY KEY NOT NULL,
	`cause` text NOT NULL,
	`customer_id` text NOT NULL,
	`visit_id` blob NOT NULL,
	`site_id` int NOT NULL,
	`plate` text,
	`vehicle_category` text NOT NULL,
	`product_id` blob,
	`rule` text DEFAULT 'visit' NOT NULL,
	`notice_at` text,
	`units` integer NOT NULL,
	`amount_minor` integer NOT NULL,
	`discount_minor` integer DEFAULT 0 NOT NULL,
	`currency` text NOT NULL,
	`vat_rate` real NOT NULL,
	`vat_category` text,
	`vat_reason` text,
	`at` text NOT NULL,
	`invoice_id` blob,
	`credited_by` blob
);
--> statement-breakpoint
CREATE UNIQUE INDEX `charge_cause_unique` ON `charge` (`cause`);--> statement-breakpoint
CREATE INDEX `charge_waiting` ON `charge` (`customer_id`,`currency`,`at`) WHERE invoice_id IS NULL;--> statement-breakpoint
CREATE INDEX `charge_by_invoice` ON `charge` (`invoice_id`) WHERE invoice_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `charge_by_visit` ON `charge` (`visit_id`,`at`);--> statement-breakpoint
CREATE TABLE `e_invoice` (
	`id` blob PRIMARY KEY NOT NULL,
	`state` text NOT NULL,
	`state_at` text NOT NULL,
	`key` text NOT NULL,
	`refusals` integer DEFAULT 0 NOT NULL,
	`access_point` text,
	`buyer` text,
	`receiver` text,
	`digest` text,
	`reference` text,
	`reason` text,
	`detail` text,
	`created_at` text NOT NULL,
	`due_at` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`held_by` text
);
--> statement-breakpoint
CREATE INDEX `e_invoice_due` ON `e_invoice` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `e_invoice_held` ON `e_invoice` (`held_by`) WHERE due_at IS NOT NULL AND held_by IS NOT NULL;--> statement-breakpoint
CREATE TABLE `income_product` (
	`site_id` int NOT NULL,
	`day` text NOT NULL,
	`currency` text NOT NULL,
	`product_id` blob NOT NULL,
	`invoices` integer NOT NULL,
	`amount_minor` integer NOT NULL,
	PRIMARY KEY(`site_id`, `day`, `currency`, `product_id`)
);
--> statement-breakpoint
CREATE INDEX `income_product_by_day` ON `income_product` (`day`);--> statement-breakpoint
CREATE TABLE `income` (
	`site_id` int NOT NULL,
	`day` text NOT NULL,
	`payment_type` text NOT NULL,
	`vehicle_category` text NOT NULL,
	`currency` text NOT NULL,
	`invoices` integer NOT NULL,
	`amount_minor` integer NOT NULL,
	`tips_minor` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`site_id`, `day`, `payment_type`, `vehicle_category`, `currency`)
);
--> statement-breakpoint
CREATE INDEX `income_by_day` ON `income` (`day`,`payment_type`,`vehicle_category`,`currency`,`invoices`,`amount_minor`,`tips_minor`);--> statement-breakpoint
CREATE TABLE `income_vat` (
	`site_id` int NOT NULL,
	`day` text NOT NULL,
	`currency` text NOT NULL,
	`category` text NOT NULL,
	`rate` real NOT NULL,
	`net_minor` integer NOT NULL,
	`vat_minor` integer NOT NULL,
	PRIMARY KEY(`site_id`, `day`, `currency`, `category`, `rate`)
);
--> statement-breakpoint
CREATE INDEX `income_vat_by_day` ON `income_vat` (`day`);--> statement-breakpoint
CREATE TABLE `invoice_series` (
	`id` integer PRIMARY KEY NOT NULL,
	`seller` text NOT NULL,
	`last` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invoice_series_seller_unique` ON `invoice_series` (`seller`);--> statement-breakpoint
CREATE TABLE `invoice_snapshot` (
	`id` integer PRIMARY KEY NOT NULL,
	`content` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invoice_snapshot_content_unique` ON `invoice_snapshot` (`content`);--> statement-breakpoint
CREATE TABLE `invoice` (
	`id` blob PRIMARY KEY NOT NULL,
	`number` integer,
	`series` integer,
	`seller_id` integer,
	`buyer_id` integer,
	`credit_of` blob,
	`sold_to` text,
	`status` text NOT NULL,
	`cause` blob NOT NULL,
	`site_id` int,
	`visit_id` blob,
	`customer_id` text,
	`product_id` blob,
	`payment_type` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`tip_minor` integer DEFAULT 0 NOT NULL,
	`open_refund_minor` integer DEFAULT 0 NOT NULL,
	`lines` text NOT NULL,
	`vat` text NOT NULL,
	`income_parts` text NOT NULL,
	`payer_ssn` text,
	`payer_name` text,
	`email` text,
	`language` text NOT NULL,
	`paid_with` text,
	`paid_at` integer,
	`payment_id` blob,
	`receipt_type` text,
	`receipt_last_four` text,
	`period_from` text,
	`period_before` text,
	`period` text,
	`publish_status` text,
	`issued_at` integer,
	`due_on` text,
	`refunded_at` integer,
	`remote_status` text NOT NULL,
	`created_at` integer NOT NULL,
	`modified_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invoice_cause_unique` ON `invoice` (`cause`);--> statement-breakpoint
CREATE UNIQUE INDEX `invoice_by_number` ON `invoice` (`number`,`series`);--> statement-breakpoint
CREATE INDEX `invoice_by_credited` ON `invoice` (`credit_of`) WHERE credit_of IS NOT NULL;--> statement-breakpoint
CREATE INDEX `invoice_by_creation` ON `invoice` (`created_at`);--> statement-breakpoint
CREATE INDEX `invoice_issued_later` ON `invoice` (`issued_at`) WHERE issued_at <> created_at;--> statement-breakpoint
CREATE INDEX `invoice_by_payment` ON `invoice` (`paid_at`) WHERE paid_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `invoice_by_amount` ON `invoice` (`amount_minor`);--> statement-breakpoint
CREATE INDEX `invoice_by_site` ON `invoice` (`site_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `invoice_by_issue` ON `invoice` (`site_id`,`issued_at`) WHERE issued_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `invoice_by_status` ON `invoice` (`status`,`created_at`);--> statement-breakpoint
CREATE INDEX `invoice_unpaid` ON `invoice` (`site_id`,`due_on`) WHERE status = 'draft' AND due_on IS NOT NULL AND credit_of IS NULL;--> statement-breakpoint
CREATE INDEX `invoice_by_visit` ON `invoice` (`visit_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `invoice_by_customer` ON `invoice` (`customer_id`,`created_at`) WHERE customer_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `invoice_by_card` ON `invoice` (`receipt_last_four`,`created_at`) WHERE receipt_last_four IS NOT NULL;--> statement-breakpoint
CREATE INDEX `invoice_by_payer` ON `invoice` (`payer_ssn`,`created_at`) WHERE payer_ssn IS NOT NULL;--> statement-breakpoint
CREATE INDEX `invoice_by_accounting` ON `invoice` (`status`,`remote_status`,`created_at`);--> statement-breakpoint
CREATE INDEX `invoice_open_refund` ON `invoice` (`site_id`,`currency`) WHERE open_refund_minor > 0;--> statement-breakpoint
CREATE INDEX `invoice_waiting` ON `invoice` (`created_at`) WHERE issued_at IS NULL;--> statement-breakpoint
CREATE INDEX `invoice_by_publish_status` ON `invoice` (`publish_status`,`created_at`) WHERE publish_status IS NOT NULL;--> statement-breakpoint
CREATE INDEX `invoice_by_remote_status` ON `invoice` (`remote_status`,`created_at`) WHERE number IS NOT NULL;--> statement-breakpoint
CREATE TABLE `doubtful_car` (
	`site_id` int NOT NULL,
	`lane_id` text NOT NULL,
	`passage_id` text NOT NULL,
	`visit_id` blob NOT NULL,
	`plate` text,
	`at` text NOT NULL,
	PRIMARY KEY(`site_id`, `lane_id`)
);
--> statement-breakpoint
CREATE INDEX `doubtful_car_by_visit` ON `doubtful_car` (`visit_id`);--> statement-breakpoint
CREATE TABLE `lane_passage` (
	`id` text PRIMARY KEY NOT NULL,
	`site_id` int NOT NULL,
	`lane_id` text NOT NULL,
	`plate` text,
	`score` real NOT NULL,
	`votes` text NOT NULL,
	`first_seen_at` text NOT NULL,
	`last_seen_at` text NOT NULL,
	`keys` text NOT NULL,
	`decision` text NOT NULL,
	`visit_id` blob,
	`read_id` text NOT NULL,
	`passed` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `lane_passage_by_lane` ON `lane_passage` (`site_id`,`lane_id`,`last_seen_at`);--> statement-breakpoint
CREATE INDEX `lane_passage_by_plate` ON `lane_passage` (`site_id`,`plate`,`last_seen_at`);--> statement-breakpoint
CREATE INDEX `lane_passage_by_age` ON `lane_passage` (`last_seen_at`);--> statement-breakpoint
CREATE TABLE `standing_plate` (
	`site_id` int NOT NULL,
	`lane_id` text NOT NULL,
	`plate` text NOT NULL,
	`seen_at` text NOT NULL,
	`standing` text NOT NULL,
	PRIMARY KEY(`site_id`, `lane_id`, `plate`)
);
--> statement-breakpoint
CREATE INDEX `standing_plate_by_age` ON `standing_plate` (`seen_at`);--> statement-breakpoint
CREATE TABLE `mail` (
	`id` text PRIMARY KEY NOT NULL,
	`recipient` text NOT NULL,
	`subject` text NOT NULL,
	`body_text` text NOT NULL,
	`body_html` text,
	`recovers_login_id` text,
	`driver_link` text,
	`visit_id` blob,
	`invoice_id` blob,
	`company` text,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`resends` integer DEFAULT 0 NOT NULL,
	`due_at` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`held_by` text,
	`last_error` text,
	`created_at` text NOT NULL,
	`sent_at` text
);
--> statement-breakpoint
CREATE INDEX `mail_due` ON `mail` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `mail_held` ON `mail` (`held_by`) WHERE due_at IS NOT NULL AND held_by IS NOT NULL;--> statement-breakpoint
CREATE INDEX `mail_by_creation` ON `mail` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `mail_by_visit` ON `mail` (`visit_id`) WHERE visit_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `mail_by_status` ON `mail` (`status`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `match_confusion` (
	`site_id` int NOT NULL,
	`camera_id` text NOT NULL,
	`before` text NOT NULL,
	`now` text NOT NULL,
	`times` integer NOT NULL,
	PRIMARY KEY(`site_id`, `camera_id`, `before`, `now`)
);
--> statement-breakpoint
CREATE TABLE `match_proposal` (
	`id` blob PRIMARY KEY NOT NULL,
	`site_id` int NOT NULL,
	`visit_id` blob NOT NULL,
	`exit_read_id` blob NOT NULL,
	`state` text NOT NULL,
	`probability` real NOT NULL,
	`weight` real NOT NULL,
	`second_visit_id` blob,
	`second_exit_read_id` blob,
	`second_probability` real NOT NULL,
	`is_judged` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`modified_at` integer NOT NULL,
	`by` text NOT NULL,
	`undo` text,
	FOREIGN KEY (`exit_read_id`) REFERENCES `photo`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `match_proposal_of_pair` ON `match_proposal` (`visit_id`,`exit_read_id`);--> statement-breakpoint
CREATE INDEX `match_proposal_by_exit` ON `match_proposal` (`exit_read_id`);--> statement-breakpoint
CREATE INDEX `match_proposal_by_time` ON `match_proposal` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `match_proposal_by_site` ON `match_proposal` (`site_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `match_proposal_by_state` ON `match_proposal` (`state`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `match_proposal_by_site_state` ON `match_proposal` (`site_id`,`state`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `online_payment` (
	`id` blob PRIMARY KEY NOT NULL,
	`gateway_id` text NOT NULL,
	`by` text NOT NULL,
	`claim` text NOT NULL,
	`customer_id` text,
	`payer_name` text,
	`email` text,
	`in_advance` integer NOT NULL,
	`units_met` integer NOT NULL,
	`paid_minor` integer NOT NULL,
	`fees` text NOT NULL,
	`nonce` text NOT NULL,
	`expires_at` text NOT NULL,
	`back_path` text,
	`step` text NOT NULL,
	`card` text,
	`card_expires` text,
	`store_card` integer NOT NULL,
	`gateway_state` text NOT NULL,
	`charge_ends_at` text,
	`booking` text,
	`stored_token` text,
	`revision` integer DEFAULT 0 NOT NULL,
	`due_at` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`held_by` text
);
--> statement-breakpoint
CREATE INDEX `online_payment_due` ON `online_payment` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `online_payment_held` ON `online_payment` (`held_by`) WHERE due_at IS NOT NULL AND held_by IS NOT NULL;--> statement-breakpoint
CREATE INDEX `online_payment_by_transaction` ON `online_payment` (`gateway_id`,(booking ->> '$.transactionId'));--> statement-breakpoint
CREATE INDEX `online_payment_unclaimed` ON `online_payment` (`id`) WHERE stored_token IS NOT NULL;--> statement-breakpoint
CREATE TABLE `online_refund` (
	`id` text PRIMARY KEY NOT NULL,
	`payment_id` blob NOT NULL,
	`amount_minor` integer NOT NULL,
	`is_whole` integer NOT NULL,
	`reference` text,
	`state` text NOT NULL,
	`reason` text NOT NULL,
	`by` text NOT NULL,
	`gateway_state` text NOT NULL,
	`due_at` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`held_by` text,
	`created_at` text NOT NULL,
	`done_at` text,
	`failed_at` text
);
--> statement-breakpoint
CREATE INDEX `online_refund_by_payment` ON `online_refund` (`payment_id`);--> statement-breakpoint
CREATE INDEX `online_refund_due` ON `online_refund` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `online_refund_held` ON `online_refund` (`held_by`) WHERE due_at IS NOT NULL AND held_by IS NOT NULL;--> statement-breakpoint
CREATE TABLE `provider_event` (
	`gateway_id` text NOT NULL,
	`id` text NOT NULL,
	`at` text NOT NULL,
	PRIMARY KEY(`gateway_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `provider_event_by_time` ON `provider_event` (`at`);--> statement-breakpoint
CREATE TABLE `gate_movement` (
	`id` blob PRIMARY KEY NOT NULL,
	`site_id` int NOT NULL,
	`lane_id` text NOT NULL,
	`action` word NOT NULL,
	`outcome` word NOT NULL,
	`by` text NOT NULL,
	`reason` text NOT NULL,
	`reason_code` text,
	`lapses_at` text,
	`passage_id` blob,
	`took_ms` real NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `gate_movement_by_site` ON `gate_movement` (`site_id`,`at`);--> statement-breakpoint
CREATE INDEX `gate_movement_by_passage` ON `gate_movement` (`passage_id`) WHERE passage_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `lane_alert` (
	`id` text PRIMARY KEY NOT NULL,
	`site_id` int NOT NULL,
	`lane_id` text NOT NULL,
	`alert` text NOT NULL,
	`plate` text,
	`passage_id` blob,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `lane_alert_by_site` ON `lane_alert` (`site_id`,`at`);--> statement-breakpoint
CREATE INDEX `lane_alert_by_plate` ON `lane_alert` (`plate`);--> statement-breakpoint
CREATE INDEX `lane_alert_by_passage` ON `lane_alert` (`passage_id`) WHERE passage_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `passage_decision` (
	`id` blob PRIMARY KEY NOT NULL,
	`passage_id` blob NOT NULL,
	`site_id` int NOT NULL,
	`lane_id` text NOT NULL,
	`direction` word NOT NULL,
	`plate` text,
	`plate_folded` text,
	`visit_id` blob,
	`open` integer NOT NULL,
	`reason` word NOT NULL,
	`decision` text NOT NULL,
	`feed_at` integer NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `passage_decision_by_passage` ON `passage_decision` (`passage_id`,`at`);--> statement-breakpoint
CREATE INDEX `passage_decision_by_visit` ON `passage_decision` (`visit_id`);--> statement-breakpoint
CREATE INDEX `passage_decision_by_site` ON `passage_decision` (`site_id`,`at`);--> statement-breakpoint
CREATE INDEX `passage_decision_by_time` ON `passage_decision` (`at`);--> statement-breakpoint
CREATE INDEX `passage_decision_by_lane` ON `passage_decision` (`lane_id`,`at`);--> statement-breakpoint
CREATE INDEX `passage_decision_by_plate` ON `passage_decision` (`plate_folded`,`at`);--> statement-breakpoint
CREATE TABLE `pay_order` (
	`key` text PRIMARY KEY NOT NULL,
	`visit_id` blob,
	`invoice_id` blob,
	`amount_minor` integer NOT NULL,
	`quantity` integer,
	`at_exit` integer NOT NULL,
	`reference` text,
	`cancelled` integer NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `pay_order_by_creation` ON `pay_order` (`created_at`);--> statement-breakpoint
CREATE TABLE `chargeback` (
	`payment_id` blob NOT NULL,
	`reference` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`reason_code` text NOT NULL,
	`deadline` text,
	`evidence` text,
	`state` text NOT NULL,
	`opened_at` text NOT NULL,
	`decided_at` text,
	PRIMARY KEY(`payment_id`, `reference`)
);
--> statement-breakpoint
CREATE INDEX `chargeback_open` ON `chargeback` (`payment_id`) WHERE state = 'open';--> statement-breakpoint
CREATE TABLE `kiosk_order` (
	`id` blob PRIMARY KEY NOT NULL,
	`site_id` int NOT NULL,
	`terminal_id` text NOT NULL,
	`visit_id` blob NOT NULL,
	`language` text NOT NULL,
	`fault` text,
	`by` text NOT NULL,
	`at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `kiosk_order_by_time` ON `kiosk_order` (`at`);--> statement-breakpoint
CREATE TABLE `payment` (
	`id` blob PRIMARY KEY NOT NULL,
	`site_id` int NOT NULL,
	`visit_id` blob,
	`invoice_id` blob,
	`terminal_id` text,
	`state` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`fees_minor` integer DEFAULT 0 NOT NULL,
	`fees_vat` text,
	`currency` text NOT NULL,
	`units` integer NOT NULL,
	`transaction_said` text,
	`reason` text,
	`needs_person` integer NOT NULL,
	`reversal_ordered_at` integer,
	`site_lost_at` integer,
	`finding` text,
	`receipt` text NOT NULL,
	`lines` text NOT NULL,
	`product` text,
	`receipt_key` text,
	`settled_twice` integer DEFAULT false NOT NULL,
	`charged_back` integer DEFAULT false NOT NULL,
	`mailed_at` integer,
	`language` text NOT NULL,
	`created_at` integer NOT NULL,
	`changed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_receipt_key_unique` ON `payment` (`receipt_key`);--> statement-breakpoint
CREATE INDEX `payment_by_visit` ON `payment` (`visit_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `payment_by_creation` ON `payment` (`created_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `payment_online_open` ON `payment` (`visit_id`) WHERE terminal_id IS NULL AND state IN ('created', 'sent', 'approved', 'unknown');--> statement-breakpoint
CREATE UNIQUE INDEX `payment_invoice_open` ON `payment` (`invoice_id`) WHERE invoice_id IS NOT NULL AND state IN ('created', 'sent', 'approved', 'unknown');--> statement-breakpoint
CREATE INDEX `payment_by_invoice` ON `payment` (`invoice_id`,`created_at`) WHERE invoice_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `payment_for_person` ON `payment` (`created_at`,`id`) WHERE needs_person = 1 OR settled_twice = 1 OR charged_back = 1 OR reversal_ordered_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `payment_reversal_open` ON `payment` (`reversal_ordered_at`) WHERE reversal_ordered_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `terminal_day` (
	`id` text PRIMARY KEY NOT NULL,
	`site_id` int NOT NULL,
	`terminal_id` text NOT NULL,
	`currency` text NOT NULL,
	`cards` text NOT NULL,
	`booked` text NOT NULL,
	`agrees` integer NOT NULL,
	`at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `terminal_day_by_site` ON `terminal_day` (`site_id`,`at`);--> statement-breakpoint
CREATE INDEX `terminal_day_by_time` ON `terminal_day` (`at`);--> statement-breakpoint
CREATE TABLE `loose_picture` (
	`key` text PRIMARY KEY NOT NULL,
	`since` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `loose_picture_by_age` ON `loose_picture` (`since`);--> statement-breakpoint
CREATE TABLE `photo` (
	`id` blob PRIMARY KEY NOT NULL,
	`source` text DEFAULT 'site' NOT NULL,
	`site_id` int NOT NULL,
	`camera_id` text NOT NULL,
	`lane_id` text NOT NULL,
	`passage_id` blob,
	`visit_id` blob,
	`status` text NOT NULL,
	`plate` text,
	`plate_folded` text,
	`plate_raw` text NOT NULL,
	`score` real NOT NULL,
	`country` text,
	`direction` word NOT NULL,
	`standing` word NOT NULL,
	`candidates` text NOT NULL,
	`event_key` text NOT NULL,
	`captured_at` integer,
	`received_at` integer NOT NULL,
	`corrected` integer DEFAULT false NOT NULL,
	`url` text,
	`picture_bytes` integer,
	`plate_url` text,
	`plate_bytes` integer,
	`thumb_bytes` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `photo_by_time` ON `photo` (`received_at`);--> statement-breakpoint
CREATE INDEX `photo_for_review` ON `photo` (`status`,`received_at`) WHERE status IN ('need-review', 'force-review');--> statement-breakpoint
CREATE INDEX `photo_by_folded_plate` ON `photo` (`plate_folded`,`received_at`);--> statement-breakpoint
CREATE INDEX `photo_by_plate_from_2` ON `photo` (substr("plate_folded", 2));--> statement-breakpoint
CREATE INDEX `photo_by_plate_from_3` ON `photo` (substr("plate_folded", 3));--> statement-breakpoint
CREATE INDEX `photo_by_plate_from_4` ON `photo` (substr("plate_folded", 4));--> statement-breakpoint
CREATE INDEX `photo_by_plate_from_5` ON `photo` (substr("plate_folded", 5));--> statement-breakpoint
CREATE INDEX `photo_by_camera` ON `photo` (`site_id`,`camera_id`,`received_at`);--> statement-breakpoint
CREATE INDEX `photo_by_site` ON `photo` (`site_id`,`received_at`);--> statement-breakpoint
CREATE INDEX `photo_by_event` ON `photo` (`site_id`,`camera_id`,`event_key`) WHERE source <> 'site';--> statement-breakpoint
CREATE INDEX `photo_by_passage` ON `photo` (`passage_id`);--> statement-breakpoint
CREATE INDEX `photo_with_picture` ON `photo` (`received_at`) WHERE url IS NOT NULL OR plate_url IS NOT NULL;--> statement-breakpoint
CREATE INDEX `photo_by_visit` ON `photo` (`visit_id`) WHERE visit_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `product` (
	`id` blob PRIMARY KEY NOT NULL,
	`site_id` int,
	`type` text NOT NULL,
	`price_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`vat_rate` real DEFAULT 0 NOT NULL,
	`vat_category` text,
	`vat_reason` text,
	`vehicle_category` text NOT NULL,
	`category` text,
	`name` text NOT NULL,
	`product_code` text NOT NULL,
	`config` text NOT NULL,
	`version` integer NOT NULL,
	`planned` text NOT NULL,
	`created_at` text NOT NULL,
	`modified_at` text NOT NULL,
	`deleted_at` text
);
--> statement-breakpoint
CREATE INDEX `product_by_creation` ON `product` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `product_by_site` ON `product` (`site_id`);--> statement-breakpoint
CREATE TABLE `product_version` (
	`id` blob NOT NULL,
	`version` integer NOT NULL,
	`since` text,
	`product` text NOT NULL,
	`site_id` int,
	`type` text NOT NULL,
	`until` text,
	`valid_from` text,
	`saved_at` text NOT NULL,
	`saved_by` text NOT NULL,
	`withdrawn_at` text,
	`withdrawn_by` text,
	PRIMARY KEY(`id`, `version`)
);
--> statement-breakpoint
CREATE INDEX `product_version_by_site` ON `product_version` (`site_id`,`since`);--> statement-breakpoint
CREATE TABLE `quota_purchase` (
	`invoice_id` blob PRIMARY KEY NOT NULL,
	`quota_id` text NOT NULL,
	`units` integer NOT NULL,
	`taken_back` integer NOT NULL,
	`used_unpaid` integer NOT NULL,
	`at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `quota_purchase_by_quota` ON `quota_purchase` (`quota_id`);--> statement-breakpoint
CREATE TABLE `customer_quota` (
	`id` text PRIMARY KEY NOT NULL,
	`customer_id` text NOT NULL,
	`product_id` blob NOT NULL,
	`name` text NOT NULL,
	`total` integer NOT NULL,
	`used` integer NOT NULL,
	`config` text NOT NULL,
	`created_at` text NOT NULL,
	`modified_at` text NOT NULL,
	`deleted_at` text,
	CONSTRAINT "quota_within_total" CHECK(used >= 0 AND used <= total)
);
--> statement-breakpoint
CREATE INDEX `quota_by_creation` ON `customer_quota` (`created_at`,`id`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `quota_by_customer` ON `customer_quota` (`customer_id`,`created_at`,`id`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `quota_by_product` ON `customer_quota` (`product_id`,`created_at`,`id`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE TABLE `quota_visit` (
	`quota_id` text NOT NULL,
	`visit_id` blob NOT NULL,
	`customer_id` text NOT NULL,
	`units` integer NOT NULL,
	`open` integer NOT NULL,
	PRIMARY KEY(`visit_id`, `quota_id`)
);
--> statement-breakpoint
CREATE INDEX `quota_visit_open` ON `quota_visit` (`quota_id`,`visit_id`) WHERE open = 1;--> statement-breakpoint
CREATE INDEX `quota_visit_open_by_customer` ON `quota_visit` (`customer_id`,`visit_id`) WHERE open = 1;--> statement-breakpoint
CREATE TABLE `visit_receipt` (
	`id` text PRIMARY KEY NOT NULL,
	`visit_id` blob NOT NULL,
	`at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `visit_receipt_by_visit` ON `visit_receipt` (`visit_id`,`at`);--> statement-breakpoint
CREATE TABLE `retention_cursor` (
	`name` text PRIMARY KEY NOT NULL,
	`at` text NOT NULL,
	`id` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `retention_log` (
	`id` text PRIMARY KEY NOT NULL,
	`at` text NOT NULL,
	`kind` text NOT NULL,
	`rows` integer NOT NULL,
	`before` text NOT NULL,
	`by` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `retention_log_by_time` ON `retention_log` (`at`,`id`);--> statement-breakpoint
CREATE TABLE `review_answer` (
	`id` text PRIMARY KEY NOT NULL,
	`photo_id` blob NOT NULL,
	`kind` text NOT NULL,
	`account_id` text NOT NULL,
	`answered_at` text NOT NULL,
	`site_id` int NOT NULL,
	`camera_id` text NOT NULL,
	`hour` integer NOT NULL,
	`plate` text,
	`read_plate` text,
	`misread` integer,
	`awaits_blind` integer NOT NULL,
	`agrees` integer,
	`causes` text NOT NULL,
	`plate_effect` text NOT NULL,
	`undo` text,
	FOREIGN KEY (`photo_id`) REFERENCES `photo`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `review_answer_of_kind` ON `review_answer` (`photo_id`,`kind`) WHERE kind <> 'skip';--> statement-breakpoint
CREATE INDEX `review_answer_by_photo` ON `review_answer` (`photo_id`,`answered_at`);--> statement-breakpoint
CREATE INDEX `review_answer_by_time` ON `review_answer` (`answered_at`);--> statement-breakpoint
CREATE INDEX `review_answer_by_person` ON `review_answer` (`account_id`,`answered_at`);--> statement-breakpoint
CREATE INDEX `review_answer_awaits_blind` ON `review_answer` (`answered_at`,`id`) WHERE awaits_blind = 1;--> statement-breakpoint
CREATE INDEX `review_answer_disagrees` ON `review_answer` (`answered_at`,`id`) WHERE agrees = 0;--> statement-breakpoint
CREATE TABLE `review_claim` (
	`photo_id` blob PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`until` text NOT NULL,
	FOREIGN KEY (`photo_id`) REFERENCES `photo`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `edge_package` (
	`id` text PRIMARY KEY NOT NULL,
	`version` text NOT NULL,
	`architecture` text NOT NULL,
	`bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`signature` text NOT NULL,
	`added_at` text NOT NULL,
	`added_by` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `edge_package_by_version` ON `edge_package` (`version`,`architecture`);--> statement-breakpoint
CREATE TABLE `rollout_site` (
	`rollout_id` text NOT NULL,
	`site_id` int NOT NULL,
	`ring` integer NOT NULL,
	`outcome` text NOT NULL,
	`order_id` text NOT NULL,
	`handed_at` text,
	`from_version` text,
	`reason` text,
	`at` text NOT NULL,
	`reported_at` text,
	`is_excused` integer NOT NULL,
	PRIMARY KEY(`rollout_id`, `site_id`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `rollout_site_by_order` ON `rollout_site` (`order_id`);--> statement-breakpoint
CREATE INDEX `rollout_site_by_outcome` ON `rollout_site` (`rollout_id`,`outcome`);--> statement-breakpoint
CREATE TABLE `rollout` (
	`id` text PRIMARY KEY NOT NULL,
	`version` text NOT NULL,
	`soak_hours` integer NOT NULL,
	`max_at_once` integer NOT NULL,
	`state` text NOT NULL,
	`pause` text,
	`pause_mailed` integer,
	`ring` integer,
	`ring_over_at` text,
	`excused_ring` integer,
	`created_at` text NOT NULL,
	`created_by` text NOT NULL,
	`over_at` text
);
--> statement-breakpoint
CREATE INDEX `rollout_by_time` ON `rollout` (`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `site_software` (
	`site_id` int PRIMARY KEY NOT NULL,
	`version` text NOT NULL,
	`architecture` text,
	`accepts_orders` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `passkey_challenge` (
	`challenge` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`login_id` text,
	`expires_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `passkey_challenge_by_expiry` ON `passkey_challenge` (`expires_at`);--> statement-breakpoint
CREATE TABLE `passkey` (
	`id` text PRIMARY KEY NOT NULL,
	`login_id` text NOT NULL,
	`name` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`transports` text NOT NULL,
	`created_at` text NOT NULL,
	`used_at` text,
	FOREIGN KEY (`login_id`) REFERENCES `login`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `passkey_by_login` ON `passkey` (`login_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `recovery_code` (
	`hash` text PRIMARY KEY NOT NULL,
	`login_id` text NOT NULL,
	FOREIGN KEY (`login_id`) REFERENCES `login`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `recovery_code_by_login` ON `recovery_code` (`login_id`);--> statement-breakpoint
CREATE TABLE `totp` (
	`login_id` text PRIMARY KEY NOT NULL,
	`secret` text NOT NULL,
	`confirmed_at` text,
	`last_step` integer,
	`created_at` text NOT NULL,
	FOREIGN KEY (`login_id`) REFERENCES `login`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `event_cursor` (
	`site_id` int NOT NULL,
	`epoch` text NOT NULL,
	`committed` integer NOT NULL,
	`digest` text,
	`ordinal` integer DEFAULT 1 NOT NULL,
	`at` text NOT NULL,
	PRIMARY KEY(`site_id`, `epoch`)
);
--> statement-breakpoint
CREATE TABLE `rejected_event` (
	`site_id` int NOT NULL,
	`epoch` text NOT NULL,
	`seq` integer NOT NULL,
	`event` text NOT NULL,
	`error` text NOT NULL,
	`received_at` text NOT NULL,
	PRIMARY KEY(`site_id`, `epoch`, `seq`)
);
--> statement-breakpoint
CREATE TABLE `site_opening` (
	`site_id` int NOT NULL,
	`step` text NOT NULL,
	`answer` text NOT NULL,
	`visit_id` blob,
	`by` text NOT NULL,
	`at` text NOT NULL,
	PRIMARY KEY(`site_id`, `step`)
);
--> statement-breakpoint
CREATE TABLE `site_enrolment` (
	`site_id` int PRIMARY KEY NOT NULL,
	`code_hash` text NOT NULL,
	`expires_at` text NOT NULL,
	`used_at` text,
	`secret_hash` text,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `site_enrolment_by_code` ON `site_enrolment` (`code_hash`);--> statement-breakpoint
CREATE TABLE `site_presence` (
	`site_id` int PRIMARY KEY NOT NULL,
	`connected` integer NOT NULL,
	`since` text NOT NULL,
	`epoch` text,
	`seq` integer DEFAULT 0 NOT NULL,
	`feed_at` integer DEFAULT 0 NOT NULL,
	`feed_hash` text,
	`software` text,
	`clock_ahead_ms` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `site` (
	`id` int PRIMARY KEY NOT NULL,
	`code` text NOT NULL,
	`name` text NOT NULL,
	`time_zone` text NOT NULL,
	`currency` text NOT NULL,
	`settings` text NOT NULL,
	`approval_limits` text DEFAULT '{"refund":null,"waiver":null,"credit":null,"close":null}' NOT NULL,
	`upgrade_ring` integer DEFAULT 2 NOT NULL,
	`secret_hash` text,
	`broker_hash` text,
	`archived_at` text,
	`created_at` text NOT NULL,
	`modified_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `site_by_code` ON `site` (`code`);--> statement-breakpoint
CREATE TABLE `camera_hour` (
	`site_id` int NOT NULL,
	`hour` integer NOT NULL,
	`lane_id` text NOT NULL,
	`camera_id` text NOT NULL,
	`reads` integer NOT NULL,
	`unread` integer NOT NULL,
	`corrected` integer NOT NULL,
	`judged` integer NOT NULL,
	`matched` integer NOT NULL,
	PRIMARY KEY(`site_id`, `hour`, `lane_id`, `camera_id`)
);
--> statement-breakpoint
CREATE TABLE `device_day` (
	`site_id` int NOT NULL,
	`day` text NOT NULL,
	`kind` text NOT NULL,
	`device_id` text NOT NULL,
	`faults` integer NOT NULL,
	`down_ms` integer NOT NULL,
	PRIMARY KEY(`site_id`, `day`, `kind`, `device_id`)
);
--> statement-breakpoint
CREATE TABLE `permit_month` (
	`site_id` int NOT NULL,
	`month` integer NOT NULL,
	`permit_id` text NOT NULL,
	`stays` integer NOT NULL,
	`stay_minutes` integer NOT NULL,
	PRIMARY KEY(`site_id`, `month`, `permit_id`)
);
--> statement-breakpoint
CREATE INDEX `permit_month_by_permit` ON `permit_month` (`permit_id`,`month`,`stays`);--> statement-breakpoint
CREATE TABLE `site_day` (
	`site_id` int NOT NULL,
	`day` text NOT NULL,
	`arrivals` integer NOT NULL,
	`departures` integer NOT NULL,
	`inside_ms` integer NOT NULL,
	`stay_minutes` integer DEFAULT 0 NOT NULL,
	`permit_stays` integer DEFAULT 0 NOT NULL,
	`automatic` integer DEFAULT 0 NOT NULL,
	`exits` integer DEFAULT 0 NOT NULL,
	`doubtful_exits` integer DEFAULT 0 NOT NULL,
	`device_faults` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`site_id`, `day`)
);
--> statement-breakpoint
CREATE TABLE `traffic` (
	`site_id` int NOT NULL,
	`quarter` integer NOT NULL,
	`lane_id` text NOT NULL,
	`arrivals` integer NOT NULL,
	`departures` integer NOT NULL,
	`inside_ms` integer NOT NULL,
	`stay_minutes` integer DEFAULT 0 NOT NULL,
	`permit_stays` integer DEFAULT 0 NOT NULL,
	`automatic` integer DEFAULT 0 NOT NULL,
	`exits` integer DEFAULT 0 NOT NULL,
	`doubtful_exits` integer DEFAULT 0 NOT NULL,
	`device_faults` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`site_id`, `quarter`, `lane_id`)
);
--> statement-breakpoint
CREATE TABLE `training` (
	`id` integer PRIMARY KEY NOT NULL,
	`since` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `custodian` (
	`id` text PRIMARY KEY NOT NULL,
	`vehicle_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`account_id` text,
	`date_from` text NOT NULL,
	`date_to` text,
	`status` text NOT NULL,
	`created_at` text NOT NULL,
	`modified_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `custodian_by_creation` ON `custodian` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `custodian_by_vehicle` ON `custodian` (`vehicle_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `custodian_by_period` ON `custodian` (`vehicle_id`,`date_from`);--> statement-breakpoint
CREATE INDEX `custodian_by_customer` ON `custodian` (`customer_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `custodian_by_account` ON `custodian` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `custodian_by_begin` ON `custodian` (`date_from`);--> statement-breakpoint
CREATE INDEX `custodian_by_end` ON `custodian` (`date_to`) WHERE date_to IS NOT NULL;--> statement-breakpoint
CREATE TABLE `registry_state` (
	`source` text PRIMARY KEY NOT NULL,
	`failures` integer NOT NULL,
	`rests_until` text
);
--> statement-breakpoint
CREATE TABLE `vehicle_absence` (
	`key` text PRIMARY KEY NOT NULL,
	`until` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `vehicle_absence_by_end` ON `vehicle_absence` (`until`);--> statement-breakpoint
CREATE TABLE `vehicle` (
	`id` text PRIMARY KEY NOT NULL,
	`plate` text,
	`plate_folded` text,
	`permno` text,
	`vin` text,
	`seats` integer,
	`passengers` integer,
	`vehicle_category` text,
	`vehicle_group` text,
	`use_group` text,
	`make` text,
	`model` text,
	`model_year` integer,
	`color` text,
	`massinro` integer,
	`massladen` integer,
	`tax_group` text,
	`registered_on` text,
	`country` text,
	`operator` text,
	`owner` text,
	`category` text,
	`source` text,
	`synced_at` text,
	`overrides` text,
	`overrides_created_at` text,
	`overrides_modified_at` text,
	`created_at` text NOT NULL,
	`modified_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `vehicle_plate_unique` ON `vehicle` (`plate`);--> statement-breakpoint
CREATE UNIQUE INDEX `vehicle_permno_unique` ON `vehicle` (`permno`);--> statement-breakpoint
CREATE INDEX `vehicle_by_creation` ON `vehicle` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `vehicle_by_folded_plate` ON `vehicle` (`plate_folded`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `vehicle_by_plate_from_2` ON `vehicle` (substr("plate_folded", 2));--> statement-breakpoint
CREATE INDEX `vehicle_by_plate_from_3` ON `vehicle` (substr("plate_folded", 3));--> statement-breakpoint
CREATE INDEX `vehicle_by_plate_from_4` ON `vehicle` (substr("plate_folded", 4));--> statement-breakpoint
CREATE INDEX `vehicle_by_plate_from_5` ON `vehicle` (substr("plate_folded", 5));--> statement-breakpoint
CREATE INDEX `vehicle_overridden` ON `vehicle` (`created_at`,`id`) WHERE overrides IS NOT NULL;--> statement-breakpoint
CREATE INDEX `vehicle_heavy` ON `vehicle` (`created_at`,`id`) WHERE category = 'heavy';--> statement-breakpoint
CREATE TABLE `view` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`url` text NOT NULL,
	`shared` integer NOT NULL,
	`created_at` text NOT NULL,
	`modified_at` text NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `view_by_account` ON `view` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `view_shared` ON `view` (`created_at`,`id`) WHERE shared = 1;--> statement-breakpoint
CREATE TABLE `visit_notice` (
	`visit_id` blob PRIMARY KEY NOT NULL,
	`delivered_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `settlement` (
	`id` blob PRIMARY KEY NOT NULL,
	`visit_id` blob NOT NULL,
	`site_id` int NOT NULL,
	`payment_status` text NOT NULL,
	`paid_with` text,
	`amount_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`units` integer NOT NULL,
	`settled_at` text NOT NULL,
	`by` text NOT NULL,
	`feed_n` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `settlement_by_visit` ON `settlement` (`visit_id`);--> statement-breakpoint
CREATE INDEX `settlement_by_site` ON `settlement` (`site_id`);--> statement-breakpoint
CREATE TABLE `visit_step` (
	`id` integer PRIMARY KEY NOT NULL,
	`visit_id` blob NOT NULL,
	`from_status` word,
	`to_status` word NOT NULL,
	`reason` text NOT NULL,
	`by` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `visit_step_by_visit` ON `visit_step` (`visit_id`,`at`);--> statement-breakpoint
CREATE TABLE `visit` (
	`id` blob PRIMARY KEY NOT NULL,
	`site_id` int NOT NULL,
	`plate` text,
	`plate_folded` text,
	`status` text NOT NULL,
	`payment_status` text,
	`started_at` integer NOT NULL,
	`ended_at` integer,
	`created_at` integer NOT NULL,
	`amount_minor` integer,
	`currency` text,
	`price` text,
	`units_met` integer DEFAULT 0 NOT NULL,
	`paid_minor` integer DEFAULT 0 NOT NULL,
	`paid_until` integer,
	`flags` text NOT NULL,
	`entry_lane_id` text,
	`exit_lane_id` text,
	`entry_read_id` blob,
	`exit_read_id` blob,
	`exit_found_by` text,
	`permit_id` text,
	`quota` text,
	`customer_id` text,
	`vehicle_category` text,
	`plate_by_person` integer DEFAULT false NOT NULL,
	`feed_at` integer DEFAULT 0 NOT NULL,
	`plate_edited_at` integer DEFAULT 0 NOT NULL,
	`started_edited_at` integer DEFAULT 0 NOT NULL,
	`status_edited_at` integer DEFAULT 0 NOT NULL,
	`ended_edited_at` integer DEFAULT 0 NOT NULL,
	`payment_edited_at` integer DEFAULT 0 NOT NULL,
	`flags_edited_at` integer DEFAULT 0 NOT NULL,
	`modified_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `visit_by_start` ON `visit` (`started_at`);--> statement-breakpoint
CREATE INDEX `visit_by_site` ON `visit` (`site_id`,`started_at`);--> statement-breakpoint
CREATE INDEX `visit_by_plate` ON `visit` (`plate`,`started_at`);--> statement-breakpoint
CREATE INDEX `visit_by_folded_plate` ON `visit` (`plate_folded`,`started_at`);--> statement-breakpoint
CREATE INDEX `visit_by_plate_from_2` ON `visit` (substr("plate_folded", 2));--> statement-breakpoint
CREATE INDEX `visit_by_plate_from_3` ON `visit` (substr("plate_folded", 3));--> statement-breakpoint
CREATE INDEX `visit_by_plate_from_4` ON `visit` (substr("plate_folded", 4));--> statement-breakpoint
CREATE INDEX `visit_by_plate_from_5` ON `visit` (substr("plate_folded", 5));--> statement-breakpoint
CREATE INDEX `visit_by_status` ON `visit` (`status`,`started_at`);--> statement-breakpoint
CREATE INDEX `visit_open` ON `visit` (`site_id`,`started_at`) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE INDEX `visit_inside` ON `visit` (`started_at`) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE INDEX `visit_unsettled` ON `visit` (`started_at`) WHERE status <> 'completed';--> statement-breakpoint
CREATE INDEX `visit_inside_by_plate` ON `visit` (`plate_folded`,`started_at`) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE INDEX `visit_settlement_unsent` ON `visit` (`site_id`) WHERE feed_at < payment_edited_at;--> statement-breakpoint
CREATE INDEX `visit_for_review` ON `visit` (`started_at`) WHERE flags <> '[]';--> statement-breakpoint
CREATE INDEX `visit_left_unpaid` ON `visit` (`ended_at`) WHERE status = 'need-payment' AND ended_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `visit_by_end` ON `visit` (`ended_at`) WHERE ended_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `visit_by_stay` ON `visit` ((ended_at - started_at)) WHERE ended_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `visit_by_entry_lane` ON `visit` (`entry_lane_id`,`started_at`);--> statement-breakpoint
CREATE INDEX `visit_by_exit_lane` ON `visit` (`exit_lane_id`,`started_at`);--> statement-breakpoint
CREATE INDEX `visit_by_customer_end` ON `visit` (`customer_id`,`ended_at`) WHERE customer_id IS NOT NULL AND ended_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `visit_stay` ON `visit` (`started_at`,`ended_at`,`payment_status`) WHERE ended_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `visit_over_period` ON `visit` (`ended_at`,`started_at`,`payment_status`) WHERE started_at / 2592000000 <> ended_at / 2592000000;--> statement-breakpoint
CREATE INDEX `visit_with_plate` ON `visit` (`status`,`ended_at`) WHERE plate IS NOT NULL AND status = 'completed';--> statement-breakpoint
CREATE INDEX `visit_by_settlement` ON `visit` (`payment_status`,`started_at`);--> statement-breakpoint
CREATE INDEX `visit_by_customer` ON `visit` (`customer_id`,`started_at`);--> statement-breakpoint
CREATE TABLE `integration_event` (
	`n` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`type` word NOT NULL,
	`subject_id` blob NOT NULL,
	`site_id` int,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `webhook_delivery` (
	`id` text PRIMARY KEY NOT NULL,
	`webhook_id` text NOT NULL,
	`n` integer NOT NULL,
	`type` text NOT NULL,
	`at` text NOT NULL,
	`status` integer,
	`error` text,
	`took_ms` integer NOT NULL,
	FOREIGN KEY (`webhook_id`) REFERENCES `webhook`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `webhook_delivery_by_webhook` ON `webhook_delivery` (`webhook_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_delivery_by_age` ON `webhook_delivery` (`at`);--> statement-breakpoint
CREATE TABLE `webhook` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`url` text NOT NULL,
	`secret` text NOT NULL,
	`types` text,
	`site_id` int,
	`status` text NOT NULL,
	`cursor` integer NOT NULL,
	`due_at` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`held_by` text,
	`failing_since` text,
	`last_error` text,
	`created_at` text NOT NULL,
	`modified_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_due` ON `webhook` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `webhook_held` ON `webhook` (`held_by`) WHERE due_at IS NOT NULL AND held_by IS NOT NULL;--> statement-breakpoint
CREATE INDEX `webhook_by_creation` ON `webhook` (`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `ending_author` (
	`author` text PRIMARY KEY NOT NULL,
	`since` text NOT NULL,
	`successor_id` text
);
--> statement-breakpoint
CREATE TABLE `whitelist_entry` (
	`id` text PRIMARY KEY NOT NULL,
	`site_id` int,
	`plate` text NOT NULL,
	`plate_folded` text NOT NULL,
	`effect` text NOT NULL,
	`type` text NOT NULL,
	`visit_id` blob,
	`active_from` text,
	`expire_at` text,
	`rules` text NOT NULL,
	`status` text NOT NULL,
	`reason` text NOT NULL,
	`arrivals_only` integer DEFAULT false NOT NULL,
	`parked_minutes` integer DEFAULT 0 NOT NULL,
	`collection` text,
	`author` text NOT NULL,
	`author_id` text,
	`customer_id` text,
	`created_at` text NOT NULL,
	`modified_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `whitelist_by_creation` ON `whitelist_entry` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `whitelist_by_plate` ON `whitelist_entry` (`plate`,`id`);--> statement-breakpoint
CREATE INDEX `whitelist_by_folded_plate` ON `whitelist_entry` (`plate_folded`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `whitelist_by_plate_from_2` ON `whitelist_entry` (substr("plate_folded", 2));--> statement-breakpoint
CREATE INDEX `whitelist_by_plate_from_3` ON `whitelist_entry` (substr("plate_folded", 3));--> statement-breakpoint
CREATE INDEX `whitelist_by_plate_from_4` ON `whitelist_entry` (substr("plate_folded", 4));--> statement-breakpoint
CREATE INDEX `whitelist_by_plate_from_5` ON `whitelist_entry` (substr("plate_folded", 5));--> statement-breakpoint
CREATE INDEX `whitelist_by_status` ON `whitelist_entry` (`status`,`created_at`,`id`,`active_from`,`expire_at`);--> statement-breakpoint
CREATE INDEX `whitelist_listed` ON `whitelist_entry` (`created_at`,`id`) WHERE status <> 'deleted';--> statement-breakpoint
CREATE INDEX `whitelist_temporary` ON `whitelist_entry` (`created_at`,`id`) WHERE type <> 'permanent';--> statement-breakpoint
CREATE INDEX `whitelist_blocks` ON `whitelist_entry` (`created_at`,`id`) WHERE effect = 'block';--> statement-breakpoint
CREATE INDEX `whitelist_expiring` ON `whitelist_entry` (`created_at`,`id`,`expire_at`) WHERE expire_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `whitelist_by_site` ON `whitelist_entry` (`site_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `whitelist_by_type` ON `whitelist_entry` (`type`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `whitelist_by_collection` ON `whitelist_entry` (`collection`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `whitelist_by_reason` ON `whitelist_entry` (`reason`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `whitelist_by_visit` ON `whitelist_entry` (`visit_id`);--> statement-breakpoint
CREATE INDEX `whitelist_by_expiry` ON `whitelist_entry` (`expire_at`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `whitelist_by_customer` ON `whitelist_entry` (`customer_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `whitelist_live` ON `whitelist_entry` (`author`,`expire_at`) WHERE status <> 'deleted';--> statement-breakpoint
CREATE INDEX `whitelist_by_author` ON `whitelist_entry` (`author`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `zone_correction` (
	`id` text PRIMARY KEY NOT NULL,
	`zone_id` text NOT NULL,
	`inside` integer NOT NULL,
	`inside_before` integer NOT NULL,
	`reason` text NOT NULL,
	`by` text NOT NULL,
	`at` text NOT NULL,
	FOREIGN KEY (`zone_id`) REFERENCES `zone`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `zone_correction_by_zone` ON `zone_correction` (`zone_id`,`at`);--> statement-breakpoint
CREATE TABLE `zone` (
	`id` text PRIMARY KEY NOT NULL,
	`site_id` int NOT NULL,
	`name` text NOT NULL,
	`settings` text NOT NULL,
	`inside_offset` integer DEFAULT 0 NOT NULL,
	`created_at` text NOT NULL,
	`modified_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `zone_by_creation` ON `zone` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `zone_by_site` ON `zone` (`site_id`,`created_at`,`id`);