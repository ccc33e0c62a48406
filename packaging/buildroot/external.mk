include $(sort $(wildcard $(BR2_EXTERNAL_PASSD_PATH)/package/*/*.mk))
