CREATE TABLE `account` (
	`id` text PRIMARY KEY NOT NULL,
	`role` text NOT NULL,
	`name` text NOT NULL,
	`status` text NOT NULL,
	`options` text NOT NULL,
	`customer_id` text,
	`created_at` text NOT NULL,
	`modified_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `account_by_creation` ON `account` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `account_by_customer` ON `account` (`customer_id`);--> statement-breakpoint
CREATE TABLE `login_attempt` (
	`key` text PRIMARY KEY NOT NULL,
	`attempts` integer NOT NULL,
	`since` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `login_attempt_by_age` ON `login_attempt` (`since`);--> statement-breakpoint
CREATE TABLE `login` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`ssn` text,
	`password_hash` text NOT NULL,
	`expires_at` text,
	`created_at` text NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `login_name_unique` ON `login` (`name`);--> statement-breakpoint
CREATE INDEX `login_by_account` ON `login` (`account_id`);--> statement-breakpoint
CREATE INDEX `login_by_ssn` ON `login` (`ssn`);--> statement-breakpoint
CREATE TABLE `audit` (
	`id` text PRIMARY KEY NOT NULL,
	`at` text NOT NULL,
	`by` text NOT NULL,
	`action` text NOT NULL,
	`subject` text NOT NULL,
	`subject_id` text NOT NULL,
	`before` text,
	`after` text,
	`reason` text,
	`request_id` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_by_time` ON `audit` (`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_by_subject` ON `audit` (`subject`,`subject_id`,`at`);--> statement-breakpoint
CREATE INDEX `audit_by_person` ON `audit` (`by`,`at`);--> statement-breakpoint
CREATE TABLE `api_key` (
	`id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`origin` text NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_key_hash_unique` ON `api_key` (`hash`);--> statement-breakpoint
CREATE TABLE `token` (
	`id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`account_id` text,
	`role` text,
	`name` text,
	`device_uuid` text,
	`created_at` text NOT NULL,
	`expires_at` text,
	`revoked_at` text,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `token_hash_unique` ON `token` (`hash`);--> statement-breakpoint
CREATE INDEX `token_by_account` ON `token` (`account_id`);--> statement-breakpoint
CREATE INDEX `token_by_expiry` ON `token` (`expires_at`);--> statement-breakpoint
CREATE TABLE `camera` (
	`id` text PRIMARY KEY NOT NULL,
	`site_id` text NOT NULL,
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
CREATE TABLE `feed_change` (
	`site_id` text NOT NULL,
	`n` integer NOT NULL,
	`kind` text NOT NULL,
	`item_id` text NOT NULL,
	`change` text NOT NULL,
	PRIMARY KEY(`site_id`, `n`)
);
--> statement-breakpoint
CREATE TABLE `feed_head` (
	`scope` text PRIMARY KEY NOT NULL,
	`n` integer NOT NULL,
	`hash` text NOT NULL,
	`compacted_to` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `feed_item` (
	`scope` text NOT NULL,
	`kind` text NOT NULL,
	`item_id` text NOT NULL,
	`digest` text,
	`item` text,
	PRIMARY KEY(`scope`, `kind`, `item_id`)
);
--> statement-breakpoint
CREATE INDEX `feed_item_by_item` ON `feed_item` (`kind`,`item_id`);--> statement-breakpoint
CREATE TABLE `gate_movement` (
	`id` text PRIMARY KEY NOT NULL,
	`site_id` text NOT NULL,
	`lane_id` text NOT NULL,
	`action` text NOT NULL,
	`outcome` text NOT NULL,
	`by` text NOT NULL,
	`why` text NOT NULL,
	`passage_id` text,
	`took_ms` real NOT NULL,
	`at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `gate_movement_by_site` ON `gate_movement` (`site_id`,`at`);--> statement-breakpoint
CREATE TABLE `device_state` (
	`site_id` text NOT NULL,
	`device_id` text NOT NULL,
	`kind` text NOT NULL,
	`state` text NOT NULL,
	`detail` text NOT NULL,
	`at` text NOT NULL,
	PRIMARY KEY(`site_id`, `device_id`)
);
--> statement-breakpoint
CREATE TABLE `event_cursor` (
	`site_id` text NOT NULL,
	`epoch` text NOT NULL,
	`committed` integer NOT NULL,
	`at` text NOT NULL,
	PRIMARY KEY(`site_id`, `epoch`)
);
--> statement-breakpoint
CREATE TABLE `lane_alert` (
	`id` text PRIMARY KEY NOT NULL,
	`site_id` text NOT NULL,
	`lane_id` text NOT NULL,
	`alert` text NOT NULL,
	`plate` text,
	`passage_id` text,
	`at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `lane_alert_by_site` ON `lane_alert` (`site_id`,`at`);--> statement-breakpoint
CREATE TABLE `passage_decision` (
	`id` text PRIMARY KEY NOT NULL,
	`passage_id` text NOT NULL,
	`site_id` text NOT NULL,
	`lane_id` text NOT NULL,
	`direction` text NOT NULL,
	`plate` text,
	`visit_id` text,
	`open` integer NOT NULL,
	`reason` text NOT NULL,
	`decision` text NOT NULL,
	`feed_at` integer NOT NULL,
	`at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `passage_decision_by_passage` ON `passage_decision` (`passage_id`);--> statement-breakpoint
CREATE INDEX `passage_decision_by_visit` ON `passage_decision` (`visit_id`);--> statement-breakpoint
CREATE INDEX `passage_decision_by_site` ON `passage_decision` (`site_id`,`at`);--> statement-breakpoint
CREATE TABLE `rejected_event` (
	`site_id` text NOT NULL,
	`epoch` text NOT NULL,
	`seq` integer NOT NULL,
	`event` text NOT NULL,
	`error` text NOT NULL,
	`received_at` text NOT NULL,
	PRIMARY KEY(`site_id`, `epoch`, `seq`)
);
--> statement-breakpoint
CREATE TABLE `photo` (
	`id` text PRIMARY KEY NOT NULL,
	`site_id` text NOT NULL,
	`camera_id` text NOT NULL,
	`lane_id` text NOT NULL,
	`passage_id` text,
	`status` text NOT NULL,
	`plate` text,
	`plate_folded` text,
	`plate_raw` text NOT NULL,
	`score` real NOT NULL,
	`country` text,
	`direction` text NOT NULL,
	`standing` text NOT NULL,
	`candidates` text NOT NULL,
	`event_key` text NOT NULL,
	`captured_at` text,
	`received_at` text NOT NULL,
	`url` text,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `photo_by_time` ON `photo` (`received_at`,`id`);--> statement-breakpoint
CREATE INDEX `photo_by_status` ON `photo` (`status`,`received_at`,`id`);--> statement-breakpoint
CREATE INDEX `photo_by_plate` ON `photo` (`plate`,`received_at`);--> statement-breakpoint
CREATE INDEX `photo_by_passage` ON `photo` (`passage_id`);--> statement-breakpoint
CREATE TABLE `product` (
	`id` text PRIMARY KEY NOT NULL,
	`site_id` text,
	`type` text NOT NULL,
	`price_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`vehicle_category` text NOT NULL,
	`category` text,
	`name` text NOT NULL,
	`product_code` text NOT NULL,
	`config` text NOT NULL,
	`version` integer NOT NULL,
	`created_at` text NOT NULL,
	`modified_at` text NOT NULL,
	`deleted_at` text
);
--> statement-breakpoint
CREATE INDEX `product_by_creation` ON `product` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `product_by_use` ON `product` (`type`,`vehicle_category`,`id`);--> statement-breakpoint
CREATE TABLE `site_presence` (
	`site_id` text PRIMARY KEY NOT NULL,
	`connected` integer NOT NULL,
	`since` text NOT NULL,
	`epoch` text,
	`seq` integer DEFAULT 0 NOT NULL,
	`feed_at` integer DEFAULT 0 NOT NULL,
	`feed_hash` text,
	`software` text
);
--> statement-breakpoint
CREATE TABLE `site` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`time_zone` text NOT NULL,
	`currency` text NOT NULL,
	`settings` text NOT NULL,
	`secret_hash` text,
	`created_at` text NOT NULL,
	`modified_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `settlement` (
	`id` text PRIMARY KEY NOT NULL,
	`visit_id` text NOT NULL,
	`site_id` text NOT NULL,
	`payment_status` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`units` integer NOT NULL,
	`settled_at` text NOT NULL,
	`by` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `settlement_by_visit` ON `settlement` (`visit_id`);--> statement-breakpoint
CREATE INDEX `settlement_by_site` ON `settlement` (`site_id`);--> statement-breakpoint
CREATE TABLE `visit_step` (
	`id` text PRIMARY KEY NOT NULL,
	`visit_id` text NOT NULL,
	`site_id` text NOT NULL,
	`from_status` text,
	`to_status` text NOT NULL,
	`why` text NOT NULL,
	`by` text NOT NULL,
	`at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `visit_step_by_visit` ON `visit_step` (`visit_id`,`at`);--> statement-breakpoint
CREATE TABLE `visit` (
	`id` text PRIMARY KEY NOT NULL,
	`site_id` text NOT NULL,
	`plate` text,
	`plate_folded` text,
	`status` text NOT NULL,
	`payment_status` text,
	`started_at` text NOT NULL,
	`ended_at` text,
	`created_at` text NOT NULL,
	`amount_minor` integer,
	`currency` text,
	`price` text,
	`units_met` integer DEFAULT 0 NOT NULL,
	`paid_until` text,
	`flags` text NOT NULL,
	`entry_lane_id` text,
	`exit_lane_id` text,
	`entry_read_id` text,
	`exit_read_id` text,
	`exit_found_by` text,
	`permit_id` text,
	`customer_id` text,
	`feed_at` integer DEFAULT 0 NOT NULL,
	`plate_edited_at` integer DEFAULT 0 NOT NULL,
	`status_edited_at` integer DEFAULT 0 NOT NULL,
	`ended_edited_at` integer DEFAULT 0 NOT NULL,
	`payment_edited_at` integer DEFAULT 0 NOT NULL,
	`modified_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `visit_by_start` ON `visit` (`started_at`,`id`);--> statement-breakpoint
CREATE INDEX `visit_by_site` ON `visit` (`site_id`,`started_at`,`id`);--> statement-breakpoint
CREATE INDEX `visit_by_plate` ON `visit` (`plate`,`started_at`,`id`);--> statement-breakpoint
CREATE INDEX `visit_by_folded_plate` ON `visit` (`plate_folded`,`started_at`,`id`);--> statement-breakpoint
CREATE INDEX `visit_by_status` ON `visit` (`status`,`started_at`,`id`);--> statement-breakpoint
CREATE INDEX `visit_open` ON `visit` (`site_id`,`started_at`,`id`) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE INDEX `visit_unsettled` ON `visit` (`started_at`,`id`) WHERE status <> 'completed';--> statement-breakpoint
CREATE INDEX `visit_for_review` ON `visit` (`started_at`,`id`) WHERE flags <> '[]';--> statement-breakpoint
CREATE INDEX `visit_by_customer` ON `visit` (`customer_id`,`started_at`,`id`);--> statement-breakpoint
CREATE TABLE `whitelist_entry` (
	`id` text PRIMARY KEY NOT NULL,
	`site_id` text,
	`plate` text NOT NULL,
	`plate_folded` text NOT NULL,
	`effect` text NOT NULL,
	`type` text NOT NULL,
	`visit_id` text,
	`active_from` text,
	`expire_at` text,
	`rules` text NOT NULL,
	`status` text NOT NULL,
	`reason` text NOT NULL,
	`collection` text,
	`author` text NOT NULL,
	`author_id` text,
	`customer_id` text,
	`created_at` text NOT NULL,
	`modified_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `whitelist_by_creation` ON `whitelist_entry` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `whitelist_by_plate` ON `whitelist_entry` (`plate`);--> statement-breakpoint
CREATE INDEX `whitelist_by_folded_plate` ON `whitelist_entry` (`plate_folded`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `whitelist_by_status` ON `whitelist_entry` (`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `whitelist_by_type` ON `whitelist_entry` (`type`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `whitelist_by_collection` ON `whitelist_entry` (`collection`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `whitelist_by_reason` ON `whitelist_entry` (`reason`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `whitelist_by_visit` ON `whitelist_entry` (`visit_id`);--> statement-breakpoint
CREATE INDEX `whitelist_by_expiry` ON `whitelist_entry` (`expire_at`);--> statement-breakpoint
CREATE INDEX `whitelist_by_customer` ON `whitelist_entry` (`customer_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `whitelist_by_author` ON `whitelist_entry` (`author`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `zone` (
	`id` text PRIMARY KEY NOT NULL,
	`site_id` text NOT NULL,
	`name` text NOT NULL,
	`settings` text NOT NULL,
	`created_at` text NOT NULL,
	`modified_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `zone_by_creation` ON `zone` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `zone_by_site` ON `zone` (`site_id`,`created_at`,`id`);